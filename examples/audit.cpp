// The shortest useful program: read a table, audit it, print the verdict.
//   c++ -std=c++20 audit.cpp ... or with CMake: find_package(noiseplus), noiseplus::noiseplus
#include <noiseplus/report.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "audit TABLE LABEL\n");
    return 2;
  }
  try {
    noiseplus::DataRequest request;
    request.path = argv[1];
    request.label = argv[2];
    const noiseplus::Dataset dataset = noiseplus::load(request);
    const noiseplus::AuditReport report = noiseplus::audit(dataset, {});
    std::fputs(noiseplus::to_text(report).c_str(), stdout);
  } catch (const noiseplus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
