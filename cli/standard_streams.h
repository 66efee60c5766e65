// Standard input, output and error where the caller has closed them.
#pragma once

namespace noiseplus::cli {

// Call before anything else is opened. A number that is free would be given to the next file, and
// what is printed would end up in it. So each closed stream gets a file that it cannot use: reading
// and writing fail as they do on a closed descriptor.
void occupy_closed_streams();

// Whether it was closed when occupy_closed_streams() was called.
bool is_standard_output_closed();

}  // namespace noiseplus::cli
