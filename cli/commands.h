// One function a command: declares its flags on a subcommand and says what to run.
#pragma once

#include <CLI/App.hpp>
#include <functional>

#include "flags.h"

namespace noiseplus::cli {

using Run = std::function<void()>;

Run add_audit(CLI::App& app, const CommonFlags& common);
Run add_balance(CLI::App& app, const CommonFlags& common);
Run add_completion(CLI::App& app, const CommonFlags& common);
Run add_corrupt(CLI::App& app, const CommonFlags& common);
Run add_demo(CLI::App& app, const CommonFlags& common);
Run add_evaluate(CLI::App& app, const CommonFlags& common);
Run add_man(CLI::App& app, const CommonFlags& common);
Run add_predict(CLI::App& app, const CommonFlags& common);
Run add_report(CLI::App& app, const CommonFlags& common);
Run add_reproduce(CLI::App& app, const CommonFlags& common);
Run add_train(CLI::App& app, const CommonFlags& common);

}  // namespace noiseplus::cli
