// All public headers of the library.
#pragma once

#include "noiseplus/balance.h"
#include "noiseplus/core.h"
#include "noiseplus/data.h"
#include "noiseplus/fair.h"
#include "noiseplus/kernels.h"
#include "noiseplus/learn.h"
#include "noiseplus/neighbors.h"
#include "noiseplus/noise.h"
#include "noiseplus/pipeline.h"
#include "noiseplus/report.h"
#include "noiseplus/version.h"
