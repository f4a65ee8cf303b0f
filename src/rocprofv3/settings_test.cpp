// SPDX-License-Identifier: MIT
#include "rocprofv3/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>

#include "rocprofv3/help.h"
#include "rocprofv3/output_names.h"
#include "rocprofv3/passes.h"
#include "rocprofv3/ranks.h"
#include "rocprofv3/request.h"
#include "tests/support/temp_dir.h"

namespace rtl::v3 {
namespace {

using exporting::tool::Domain;
using Words = std::vector<std::string>;

CommandLine Parsed(const Words& words) {
  CommandLine line;
  const Status status = ParseCommandLine(words, &line);
  EXPECT_TRUE(status.ok()) << status.message();
  return line;
}

std::string Refusal(const Words& words) {
  CommandLine line;
  return ParseCommandLine(words, &line).message();
}

std::string RequestRefusal(const Words& words) {
  Request request;
  std::vector<std::string> notes;
  return MakeRequest(Parsed(words).settings, &request, &notes).message();
}

Request Requested(const Words& words, std::vector<std::string>* notes = nullptr) {
  Request request;
  std::vector<std::string> ignored;
  const Status status =
      MakeRequest(Parsed(words).settings, &request, notes == nullptr ? &ignored : notes);
  EXPECT_TRUE(status.ok()) << status.message();
  return request;
}

TEST(CommandLine, GivesTheProgramTheWordsAfterTheDashes) {
  const CommandLine line = Parsed({"--kernel-trace", "--", "app", "--stats", "-o", "x"});
  EXPECT_EQ(line.program, (Words{"app", "--stats", "-o", "x"}));
  EXPECT_TRUE(line.settings.IsOn("kernel_trace"));
  EXPECT_FALSE(line.settings.Has("stats"));
}

TEST(CommandLine, TakesWordsLikeUpstream) {
  const CommandLine line = Parsed({"-f", "CSV", "json", "-oname", "--output-directory=dir", "-S",
                                   "--summary-groups", "A|B", "C", "-u", "usec", "--", "app"});
  EXPECT_EQ(line.settings.Words("output_format"), (Words{"csv", "json"}));
  EXPECT_EQ(line.settings.Word("output_file"), "name");
  EXPECT_EQ(line.settings.Word("output_directory"), "dir");
  EXPECT_TRUE(line.settings.IsOn("summary"));
  EXPECT_EQ(line.settings.Words("summary_groups"), (Words{"A|B", "C"}));
  EXPECT_EQ(line.settings.Word("summary_units"), "usec");
}

TEST(CommandLine, TakesTruthValuesInBothForms) {
  EXPECT_TRUE(Parsed({"--hsa-trace=no"}).settings.IsOff("hsa_trace"));
  EXPECT_TRUE(Parsed({"--hsa-trace", "OFF"}).settings.IsOff("hsa_trace"));
  EXPECT_TRUE(Parsed({"--stats", "1"}).settings.IsOn("stats"));
  EXPECT_EQ(Refusal({"--stats=maybe"}), "--stats takes yes or no, not maybe");
}

TEST(CommandLine, RefusesUnknownWords) {
  EXPECT_EQ(Refusal({"--kernel-trac"}), "unknown option --kernel-trac");
  EXPECT_EQ(Refusal({"--kernel-trace", "yes", "app"}),
            "unexpected argument: app (the program follows --)");
  EXPECT_EQ(Refusal({"-f", "xml"}), "-f takes one of: csv json pftrace otf2 rocpd db; not xml");
  EXPECT_EQ(Refusal({"-f"}), "-f needs a value");
  EXPECT_EQ(Refusal({"--output-format="}), "--output-format needs a value");
  EXPECT_EQ(Refusal({"--minimum-output-data", "much"}),
            "--minimum-output-data takes a number, not much");
  EXPECT_EQ(Refusal({"--vgpu=9"}), "--vgpu takes 1 to 8 GPUs, not 9");
  EXPECT_EQ(Refusal({"--vgpu="}), "--vgpu takes 1 to 8 GPUs, not an empty value");
}

TEST(CommandLine, KnowsEveryOptionByItsNames) {
  for (const Option& option : Options()) {
    EXPECT_EQ(FindKey(option.key), &option);
    if (option.other != nullptr) {
      EXPECT_EQ(FindOption(option.other), &option);
    }
    if (*option.name == '\0') continue;
    EXPECT_EQ(FindOption(option.name), &option);
    EXPECT_NE(HelpText().find(option.name), std::string::npos);
  }
  EXPECT_EQ(FindKey("minimum-output-data"), FindOption("--minimum-output-data"));
  EXPECT_EQ(FindOption(""), nullptr);
}

TEST(Request, RefusesEveryUnsupportedOptionByName) {
  for (const Option& option : Options()) {
    if (option.served == Served::kYes || *option.name == '\0') continue;
    Words words = {option.name};
    if (option.takes == Takes::kNumber) words.push_back("1");
    if (option.takes == Takes::kChoice) {
      const std::string choices = option.choices;
      words.push_back(choices.substr(0, choices.find(' ')));
    }
    if (option.takes == Takes::kWord || option.takes == Takes::kWords) words.push_back("word");
    if (option.takes == Takes::kGroups) {
      EXPECT_EQ(RequestRefusal({option.name, "parallel", "task"}), RequestRefusal(words));
    }
    EXPECT_EQ(RequestRefusal(words),
              std::string(option.name) + " is not supported: " + option.text);
  }
}

TEST(Request, AggregatesMeanTheSupportedDomainsAndReportTheOthersOnce) {
  std::vector<std::string> notes;
  const Request system = Requested({"-s", "-f", "csv"}, &notes);
  for (const Domain domain :
       {Domain::kHsa, Domain::kHip, Domain::kMarker, Domain::kKernel, Domain::kCopy,
        Domain::kScratch, Domain::kAllocation, Domain::kRccl}) {
    EXPECT_TRUE(system.tool.wants(domain));
  }
  EXPECT_TRUE(system.tool.hip_compiler);
  EXPECT_EQ(notes, Words());
  const Request runtime = Requested({"-r", "-f", "csv"});
  EXPECT_TRUE(runtime.tool.hip_runtime);
  EXPECT_FALSE(runtime.tool.hip_compiler);
  EXPECT_FALSE(runtime.tool.wants(Domain::kHsa));
  EXPECT_EQ(runtime.events(), "kernels,copies,markers,hip,memory,scratch,rccl");
}

TEST(Request, RefusesCallsOfLibrariesThatAreInstalledButNotIntercepted) {
  const test::TempDir dir;
  std::vector<std::string> notes;
  Requested({"--rocdecode-trace", "--kernel-trace", "-f", "csv"}, &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "--rocdecode-trace: no calls, because librocdecode.so is not installed");
  const std::string library = dir.File("librocdecode.so.1");
  std::ofstream(library) << "";
  const char* const before = getenv("LD_LIBRARY_PATH");
  const std::string path = before == nullptr ? "" : before;
  ASSERT_EQ(setenv("LD_LIBRARY_PATH", dir.path().c_str(), 1), 0);
  EXPECT_EQ(RequestRefusal({"--rocdecode-trace"}),
            "--rocdecode-trace is not supported: rocDecode calls are not intercepted, and " +
                library + " is installed");
  notes.clear();
  Requested({"-s", "--rocjpeg-trace=no", "-f", "csv"}, &notes);
  EXPECT_EQ(notes, Words{"--sys-trace leaves out unsupported events: rocDecode calls"});
  notes.clear();
  Requested({"-s", "--rocdecode-trace=no", "-f", "csv"}, &notes);
  EXPECT_EQ(notes, Words());
  ASSERT_EQ(setenv("LD_LIBRARY_PATH", path.c_str(), 1), 0);
}

TEST(Request, TheTimelineNeedsNoBuffer) {
  std::vector<std::string> notes;
  Requested({"--kernel-trace", "-f", "pftrace", "--perfetto-buffer-size", "64",
             "--perfetto-buffer-fill-policy", "ring_buffer", "--perfetto-shmem-size-hint", "64",
             "--perfetto-backend", "inprocess"},
            &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(notes[0].ends_with("the timeline is written without a buffer; nothing is discarded"));
  EXPECT_EQ(RequestRefusal({"--kernel-trace", "--perfetto-backend", "system"}),
            "--perfetto-backend system is not supported: the timeline is written into a file, not "
            "sent to a daemon");
  EXPECT_EQ(RequestRefusal({"--kernel-trace", "--perfetto-buffer-size", "0"}),
            "--perfetto-buffer-size takes a number of KB, not 0");
}

TEST(Request, ChoosesFamiliesOfHsaCalls) {
  const Request amd = Requested({"--hsa-amd-trace", "-f", "csv"});
  EXPECT_EQ(amd.events(), "hsa");
  EXPECT_TRUE(amd.tool.hsa_amd);
  EXPECT_FALSE(amd.tool.hsa_core);
  EXPECT_TRUE(amd.tool.wants(*exporting::tool::FamilyOf("hsa_amd_memory_fill")));
  EXPECT_FALSE(amd.tool.wants(*exporting::tool::FamilyOf("hsa_init")));
  const Request all = Requested({"--hsa-trace", "--hsa-image-trace=no", "-f", "csv"});
  EXPECT_TRUE(all.tool.hsa_core && all.tool.hsa_amd && all.tool.hsa_finalizer);
  EXPECT_FALSE(all.tool.hsa_image);
}

TEST(Request, ExcludesDomainsFromAggregates) {
  const Request request = Requested({"-s", "--kernel-trace=no", "--hip-compiler-trace=no"});
  EXPECT_FALSE(request.tool.wants(Domain::kKernel));
  EXPECT_TRUE(request.tool.wants(Domain::kHip));
  EXPECT_FALSE(request.tool.hip_compiler);
  EXPECT_FALSE(Requested({"-s", "--hip-trace=no"}).tool.wants(Domain::kHip));
}

TEST(Request, HipTraceHasNoKernelsAndNoCopies) {
  const Request request = Requested({"--hip-trace"});
  EXPECT_TRUE(request.tool.wants(Domain::kHip));
  EXPECT_FALSE(request.tool.wants(Domain::kKernel));
  EXPECT_FALSE(request.tool.wants(Domain::kCopy));
}

TEST(Request, RecordsHipCallsForStreamsUnlessQueuesSuffice) {
  EXPECT_TRUE(Requested({"--kernel-trace"}).needs_hip());
  EXPECT_FALSE(Requested({"--kernel-trace", "--group-by-queue"}).needs_hip());
  EXPECT_FALSE(Requested({"--marker-trace"}).needs_hip());
  EXPECT_TRUE(Requested({"--hip-trace", "--group-by-queue"}).needs_hip());
}

TEST(Request, RecordsTheEventsThatItsFilesNeed) {
  EXPECT_EQ(Requested({"-s"}).events(),
            "kernels,copies,markers,hip,hip-compiler,hsa,memory,scratch,rccl");
  EXPECT_EQ(Requested({"-r"}).events(), "kernels,copies,markers,hip,memory,scratch,rccl");
  EXPECT_EQ(Requested({"--rccl-trace"}).events(), "rccl");
  EXPECT_EQ(Requested({"--kernel-trace", "--group-by-queue"}).events(), "kernels");
  EXPECT_EQ(Requested({"--kernel-trace", "--kernel-rename"}).events(), "kernels,markers,hip");
  EXPECT_EQ(Requested({"--hip-trace", "--hip-runtime-trace=no"}).events(), "hip,hip-compiler");
  EXPECT_EQ(Requested({"--scratch-memory-trace"}).events(), "kernels,scratch");
  EXPECT_EQ(Requested({}).events(), "markers");
}

TEST(Request, HasTheDefaultsOfEitherVersion) {
  EXPECT_TRUE(Requested({"--kernel-trace"}).formats.rocpd);
  EXPECT_FALSE(Requested({"--kernel-trace"}).formats.csv);
  const Request old = Requested({"--kernel-trace", "--compat", "0.5"});
  EXPECT_TRUE(old.formats.csv && old.tool.old_columns);
  EXPECT_EQ(old.folder, "%cwd%");
  EXPECT_EQ(old.file, "%hostname%/%pid%");
  EXPECT_EQ(old.summary_file, "stderr");
}

TEST(Request, RefusesContradictions) {
  EXPECT_EQ(RequestRefusal({"--stats"}),
            "statistics need something to count: add --kernel-trace or another");
  EXPECT_EQ(RequestRefusal({"--kernel-trace", "--summary-groups", "*._API"}),
            "--summary-groups: not a regular expression: *._API");
  EXPECT_EQ(RequestRefusal({"--kernel-trace", "--kernel-include-regex", "["}),
            "--kernel-include-regex: not a regular expression: [");
  EXPECT_EQ(RequestRefusal({"--kernel-trace", "--kernel-iteration-range", "one"}),
            "--kernel-iteration-range takes ranges like [1-2],[5], not one");
  for (const char* range : {"[", "[5-2]", "[1-]", "1--2", ","}) {
    EXPECT_EQ(RequestRefusal({"--kernel-trace", "--kernel-iteration-range", "[1]", range}),
              std::string("--kernel-iteration-range takes ranges like [1-2],[5], not ") + range);
  }
  EXPECT_EQ(RequestRefusal({"--kernel-trace", "--kernel-iteration-range", "1-2,5", "[7]"}), "");
  EXPECT_EQ(RequestRefusal({"--kernel-trace", "--minimum-output-data", "-5"}),
            "--minimum-output-data takes no negative number: -5");
  EXPECT_EQ(RequestRefusal({"-p", "1", "--attach-duration-msec", "-5"}),
            "--attach-duration-msec takes no negative number: -5");
  EXPECT_EQ(RequestRefusal({"-p", "1", "--attach", "2"}),
            "--pid and --attach name two processes, 1 and 2");
  EXPECT_EQ(RequestRefusal({"-p", "1", "--attach", "1", "--kernel-trace"}), "");
}

TEST(CommandLine, RefusesEmptyValues) {
  for (const char* option : {"-p", "-i", "-E", "-o", "-d", "-f", "-P", "--profile-mpi-ranks",
                             "--summary-groups", "--compat", "--pc-sampling-interval", "--pmc"}) {
    EXPECT_EQ(Refusal({option, "", "--", "app"}), std::string(option) + " needs a value");
  }
  EXPECT_EQ(Refusal({"--pid=", "--", "app"}), "--pid needs a value");
  EXPECT_EQ(Refusal({"--kernel-exclude-regex", "", "--", "app"}), "");  // as upstream
}

TEST(Request, PeriodsFollowEachOther) {
  std::vector<exporting::tool::Period> periods;
  ASSERT_TRUE(ParsePeriod("1:2:2", "usec", &periods).ok());
  ASSERT_TRUE(ParsePeriod("4:1:1", "usec", &periods).ok());
  ASSERT_TRUE(ParsePeriod("0:3:2", "usec", &periods).ok());  // goes on where the last one ended
  const auto holds = [&](uint64_t start, uint64_t end) {
    return std::any_of(periods.begin(), periods.end(),
                       [&](const auto& period) { return period.Holds(start, end); });
  };
  const std::pair<uint64_t, uint64_t> expected[] = {{1000, 3000}, {4000, 6000}, {10'000, 17'000}};
  for (const auto& [from, to] : expected) {
    EXPECT_TRUE(holds(from, from));
    EXPECT_TRUE(holds(from, to));
    EXPECT_FALSE(holds(from - 1, to)) << from;
    EXPECT_FALSE(holds(from, to + 1)) << to;
  }
  EXPECT_FALSE(holds(7000, 7000)) << "after the second repetition";
  for (const char* wrong : {"", "1", "1:2", "1:2:3:4", "a:1:1", "1:0:1", "-1:1:1", "1::1",
                            "nan:1:1", "0:0.0000000001:1", "0:inf:1"}) {
    EXPECT_FALSE(ParsePeriod(wrong, "sec", &periods).ok()) << wrong;
  }
}

TEST(Request, APeriodMayBeShortLongAndEndless) {
  constexpr uint64_t kDay = 86'400'000'000'000;
  const auto holds = [](const char* text, const char* unit, uint64_t time) {
    std::vector<exporting::tool::Period> periods;
    EXPECT_TRUE(ParsePeriod(text, unit, &periods).ok()) << text;
    EXPECT_TRUE(ParsePeriod("0:1:1", unit, &periods).ok()) << "after all others";
    return std::any_of(periods.begin(), periods.end(),
                       [&](const auto& period) { return period.Holds(time, time); });
  };
  EXPECT_TRUE(holds("0:5:0", "sec", kDay));
  EXPECT_TRUE(holds("0:1:0", "nsec", kDay));
  EXPECT_TRUE(holds("1:1:0", "usec", kDay + 1000));  // the beginning of an odd microsecond
  EXPECT_FALSE(holds("1:1:0", "usec", kDay + 500));
  EXPECT_TRUE(holds("0:1:1000000000", "sec", kDay));
  EXPECT_TRUE(holds("1:1:1e300", "sec", kDay + 1'000'000'000));
  EXPECT_FALSE(holds("1:1:1", "sec", 5'000'000'000));
  EXPECT_FALSE(holds("2e6:1:1", "hour", kDay));
}

std::vector<Settings> Jobs(InputFormat format, const std::string& text) {
  std::vector<Settings> jobs;
  const Status status = ParseInput("in", format, text, &jobs);
  EXPECT_TRUE(status.ok()) << status.message();
  return jobs;
}

std::string InputRefusal(InputFormat format, const std::string& text) {
  std::vector<Settings> jobs;
  return ParseInput("in", format, text, &jobs).message();
}

TEST(InputFile, HasTheSameJobsInJsonAndYaml) {
  const auto json = Jobs(InputFormat::kJson,
                         R"({"jobs": [{"kernel_trace": true, "output_format": ["csv", "json"]},
                             {"hip_trace": "yes", "minimum-output-data": 7}]})");
  const auto yaml = Jobs(InputFormat::kYaml,
                         "jobs:\n  - kernel_trace: true\n    output_format: [csv, json]\n"
                         "  - hip_trace: yes\n    minimum-output-data: 7\n");
  ASSERT_EQ(json.size(), 2u);
  ASSERT_EQ(yaml.size(), 2u);
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(json[i].all(), yaml[i].all());
  EXPECT_TRUE(json[0].IsOn("kernel_trace"));
  EXPECT_EQ(json[1].Word("minimum_output_data"), "7");
}

// A word that the option accepts.
std::string SomeWord(const Option& option) {
  if (option.takes == Takes::kSwitch) return "true";
  if (option.takes == Takes::kNumber) return "1";
  const std::string choices = option.choices == nullptr ? "word" : option.choices;
  return choices.substr(0, choices.find(' '));
}

TEST(InputFile, TakesEveryOptionLikeItsFlag) {
  size_t compared = 0;
  for (const Option& option : Options()) {
    const std::string key = option.key;
    const std::string word = SomeWord(option);
    const std::string json = R"({"jobs": [{")" + key + R"(": ")" + word + R"("}]})";
    if (key == "input" || key == "help" || key == "version") {
      EXPECT_EQ(InputRefusal(InputFormat::kJson, json),
                "in: " + key + " has no meaning in an input file");
      continue;
    }
    const auto jobs = Jobs(InputFormat::kJson, json);
    const auto yaml = Jobs(InputFormat::kYaml, "jobs:\n  - " + key + ": '" + word + "'\n");
    ASSERT_EQ(jobs.size(), 1u) << key;
    ASSERT_EQ(yaml.size(), 1u) << key;
    EXPECT_EQ(jobs[0].all(), yaml[0].all()) << key;
    if (*option.name == '\0') continue;
    Words words = {option.name};
    if (option.takes != Takes::kSwitch) words.push_back(word);
    EXPECT_EQ(jobs[0].all(), Parsed(words).settings.all()) << key;
    ++compared;
  }
  EXPECT_GT(compared, 70u);
}

TEST(InputFile, KnowsTheKeysOfOtherVersions) {
  for (const std::string& key : OtherKeys()) {
    EXPECT_TRUE(key == kIgnoredKey || FindKey(key) != nullptr) << key;
  }
  const auto jobs = Jobs(InputFormat::kJson,
                         R"({"jobs": [{"sub_directory": "pass_", "hsa_finalize_trace": true}]})");
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].all().size(), 1u);
  EXPECT_TRUE(jobs[0].IsOn("hsa_finalizer_trace"));
}

TEST(InputFile, HasGroupsOfCountersThatTakeTurns) {
  const auto request_of = [](const Settings& job, Request* out) {
    std::vector<std::string> notes;
    return std::string(MakeRequest(job, out, &notes).message());
  };
  Request request;
  for (const auto& jobs :
       {Jobs(InputFormat::kJson, R"({"jobs": [{"pmc_groups": [["SQ_WAVES", "TCC_HIT"], ["TCP:3"]],
                                               "pmc_group_interval": 4}]})"),
        Jobs(InputFormat::kYaml,
             "jobs:\n- pmc_groups: [[SQ_WAVES, TCC_HIT], [TCP:3]]\n"
             "  pmc_group_interval: 4\n")}) {
    EXPECT_EQ(request_of(jobs[0], &request), "");
    EXPECT_EQ(request.counters, "SQ_WAVES,TCC_HIT;TCP:3");
    EXPECT_EQ(request.counter_group_interval, 4u);
    EXPECT_TRUE(request.tool.counters);
  }
  const auto of_yaml = [&](const std::string& keys) {
    return request_of(Jobs(InputFormat::kYaml, "jobs:\n- " + keys + "\n")[0], &request);
  };
  EXPECT_EQ(of_yaml("pmc_groups: [SQ_WAVES, TCC_HIT]"), "");
  EXPECT_EQ(request.counters, "SQ_WAVES;TCC_HIT");
  EXPECT_EQ(request.counter_group_interval, 1u);
  EXPECT_EQ(of_yaml("pmc_group_interval: 2\n  pmc: [SQ_WAVES]"),
            "pmc_group_interval needs pmc_groups");
  EXPECT_EQ(of_yaml("pmc_groups: [[SQ_WAVES]]\n  pmc_group_interval: 0"),
            "pmc_group_interval takes a number from 1, not 0");
  EXPECT_EQ(of_yaml("pmc_groups: [[SQ_WAVES]]\n  pmc: [TCC_HIT]"),
            "pmc_groups and --pmc exclude each other");
  EXPECT_EQ(of_yaml("pmc_groups: [[SQ_WAFES]]"),
            "pmc_groups: SQ_WAFES is neither a known counter (rtl counters list) nor BLOCK:EVENT "
            "(SQ:4)");
}

TEST(InputFile, HasARunForEachLineOfCounters) {
  const auto jobs = Jobs(InputFormat::kText, "pmc: A B # two\n# pmc: none\n\npmc:\tC\n");
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].Words("pmc"), (Words{"A", "B"}));
  EXPECT_EQ(jobs[1].Words("pmc"), (Words{"C"}));
}

std::vector<std::string> FoldersOf(const Words& words) {
  std::vector<Pass> passes;
  const Status made = MakePasses(Parsed(words), &passes);
  EXPECT_TRUE(made.ok()) << made.message();
  std::vector<std::string> folders;
  for (const Pass& pass : passes) folders.push_back(pass.folder);
  return folders;
}

TEST(Passes, HaveFoldersLikeUpstream) {
  const test::TempDir dir;
  const auto file = [&](const char* name, const char* text) {
    const std::string path = dir.File(name);
    std::ofstream(path) << text;
    return path;
  };
  EXPECT_EQ(FoldersOf({"--pmc", "SQ_WAVES"}), Words{""});
  EXPECT_EQ(FoldersOf({"--pmc", "SQ_WAVES", "--pmc", "A", "B"}), (Words{"pass_1", "pass_2"}));
  EXPECT_EQ(FoldersOf({"-i", file("a.txt", "pmc: A\n")}), Words{"pmc_1"});
  EXPECT_EQ(FoldersOf({"-i", file("b.txt", "pmc: A\npmc: B\n")}), (Words{"pmc_1", "pmc_2"}));
  EXPECT_EQ(FoldersOf({"-i", file("c.yaml", "jobs: [{pmc: [A]}]")}), Words{"pass_1"});
  EXPECT_EQ(FoldersOf({"-i", file("d.yaml", "jobs: [{stats: true}]")}), Words{""});
  EXPECT_EQ(FoldersOf({"-i", file("e.json", R"({"jobs": [{"stats": true}, {"stats": false}]})")}),
            (Words{"pass_1", "pass_2"}));
  std::vector<Pass> passes;
  EXPECT_STREQ(MakePasses(Parsed({"--pmc", "A", "--pmc"}), &passes).message(),
               "with several --pmc, number 2 has no counters");
  EXPECT_STREQ(MakePasses(Parsed({"--pmc", "A", "--pmc", "B", "-i", "x"}), &passes).message(),
               "several --pmc and -i exclude each other: both define runs");
}

TEST(Ranks, AreTracedWhenTheyAreListed) {
  const auto traced = [](const char* ranks, std::optional<Rank> own) {
    bool is = false;
    const Status status = IsTraced(ranks, own, &is);
    return status.ok() ? std::string(is ? "yes" : "no") : std::string(status.message());
  };
  EXPECT_EQ(traced("0-3,8", Rank{2, 16}), "yes");
  EXPECT_EQ(traced("0-3,8", Rank{8, 16}), "yes");
  EXPECT_EQ(traced("0-3,8", Rank{4, 16}), "no");
  EXPECT_EQ(traced("0-3,8", std::nullopt), "yes");
  EXPECT_EQ(traced("4", Rank{0, 4}), "--profile-mpi-ranks: no rank 4 in a job of 4");
  for (const char* wrong : {"a", "1-", "3-1", "1,,2", "-1"}) {
    EXPECT_TRUE(traced(wrong, std::nullopt).starts_with("--profile-mpi-ranks takes ranks as 0-3,8"))
        << wrong;
  }
}

TEST(Ranks, FollowTheNamedVariables) {
  ASSERT_EQ(setenv("OWN_RANK", "3", 1), 0);
  ASSERT_EQ(setenv("OWN_SIZE", "5", 1), 0);
  const auto own = ThisRank({"OWN_RANK", "OWN_SIZE"});
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->rank, 3u);
  EXPECT_EQ(own->size, 5u);
  EXPECT_FALSE(ThisRank({"OWN_RANK", "NO_SUCH_SIZE"}).has_value());
  query::Process process;
  EXPECT_EQ(OutputNames({"app"}, 0, {"OWN_RANK", "OWN_SIZE"}).Expand("%rank%-%s", process), "3-5");
  ASSERT_EQ(unsetenv("OWN_RANK") + unsetenv("OWN_SIZE"), 0);
  EXPECT_EQ(RequestRefusal({"--kernel-trace", "--mpi-world-rank-variable", "R"}),
            "--mpi-world-rank-variable and --mpi-world-size-variable need each other");
}

TEST(Request, RefusesMissingFeaturesOfNewOptions) {
  EXPECT_EQ(RequestRefusal({"--pmc", "SQ_WAVES", "--replay-mode", "kernel"}),
            "--replay-mode kernel is not supported: kernels are not replayed within a run");
  EXPECT_EQ(RequestRefusal({"--replay-mode", "application", "--kernel-trace"}), "");
  EXPECT_EQ(RequestRefusal({"--pmc", ","}), "--pmc: no counter is named");
  for (const char* interval : {"-5", "0"}) {
    EXPECT_EQ(RequestRefusal({"--pc-sampling-beta-enabled", "--pc-sampling-method", "host_trap",
                              "--pc-sampling-unit", "time", "--pc-sampling-interval", interval}),
              "--pc-sampling-interval takes microseconds, at least 1");
  }
  EXPECT_EQ(RequestRefusal({"--attach-children", "--kernel-trace"}),
            "--attach-children is not supported: rocprofv3 attaches only to the named process");
  EXPECT_EQ(RequestRefusal({"--attach-children=no", "--process-sync", "--kernel-trace",
                            "--ompt-trace", "no", "--attach-sync-output"}),
            "");
}

TEST(CommandLine, TakesGroupsOrATruthValue) {
  EXPECT_EQ(Parsed({"--ompt-trace"}).settings.Words("ompt_trace"), Words{"true"});
  EXPECT_EQ(Parsed({"--ompt-trace", "Parallel", "task"}).settings.Words("ompt_trace"),
            (Words{"parallel", "task"}));
  EXPECT_EQ(Parsed({"--ompt-trace", "no"}).settings.Words("ompt_trace"), Words{"false"});
  EXPECT_EQ(Refusal({"--ompt-trace", "parallel,task"}),
            "--ompt-trace takes one of: all thread parallel task sync mutex target device error; "
            "not parallel,task");
}

TEST(InputFile, ReportsAnErrorInOneLine) {
  EXPECT_EQ(InputRefusal(InputFormat::kJson, "{\"jobs\": [}"),
            "in: no JSON at byte 10: Invalid value.");
  EXPECT_EQ(InputRefusal(InputFormat::kJson, "{}"), "in: the list \"jobs\" is missing");
  EXPECT_EQ(InputRefusal(InputFormat::kJson, "{\"jobs\": []}"), "in: there are no jobs");
  EXPECT_EQ(InputRefusal(InputFormat::kJson, "{\"jobs\": [{\"kernel_tracing\": true}]}"),
            "in: unknown key kernel_tracing");
  EXPECT_EQ(InputRefusal(InputFormat::kJson, "{\"jobs\": [{\"stats\": {}}]}"),
            "in: stats has a value of the wrong kind");
  EXPECT_EQ(InputRefusal(InputFormat::kYaml, "jobs: 7"), "in: the list \"jobs\" is missing");
  EXPECT_TRUE(InputRefusal(InputFormat::kYaml, "jobs: [").starts_with("in: no YAML: line "));
  EXPECT_EQ(InputRefusal(InputFormat::kText, "counters"), "in: no line \"pmc: ...\"");
  EXPECT_EQ(InputRefusal(InputFormat::kText, "pmc: SQ_WAVES\npmc: # none\n"),
            "in: a line \"pmc:\" without counters");
}

TEST(InputFile, MustAgreeWithTheCommandLine) {
  const auto jobs =
      Jobs(InputFormat::kJson, R"({"jobs": [{"kernel_trace": true, "stats": true}]})");
  Settings same = Parsed({"--stats"}).settings;
  EXPECT_TRUE(same.Merge(jobs[0], "in").ok());
  EXPECT_TRUE(same.IsOn("kernel_trace"));
  Settings other = Parsed({"--stats=no"}).settings;
  EXPECT_STREQ(other.Merge(jobs[0], "in").message(),
               "in: stats is also on the command line, with another value");
}

TEST(InputFile, IsKnownByItsEnding) {
  const test::TempDir dir;
  std::vector<Settings> jobs;
  EXPECT_FALSE(ReadInputFile(dir.File("missing.json"), &jobs).ok());
  const std::string path = dir.File("in.xml");
  std::ofstream(path) << "<jobs/>";
  const std::string why = ReadInputFile(path, &jobs).message();
  EXPECT_TRUE(why.ends_with("an input file ends in .txt, .json, .yaml or .yml")) << why;
}

TEST(Settings, TakesVariablesForOptionsThatAreNotSet) {
  ASSERT_EQ(setenv("ROCPROF_KERNEL_TRACE", "1", 1), 0);
  ASSERT_EQ(setenv("ROCPROF_OUTPUT_FORMAT", "csv,json", 1), 0);
  Settings settings = Parsed({"--kernel-trace=no"}).settings;
  const Status taken = settings.AddVariables();
  ASSERT_EQ(unsetenv("ROCPROF_KERNEL_TRACE"), 0);
  ASSERT_EQ(unsetenv("ROCPROF_OUTPUT_FORMAT"), 0);
  ASSERT_TRUE(taken.ok()) << taken.message();
  EXPECT_TRUE(settings.IsOff("kernel_trace"));
  EXPECT_EQ(settings.Words("output_format"), (Words{"csv", "json"}));
}

TEST(Settings, ReadsVariablesWithTheirOwnForm) {
  const std::pair<const char*, const char*> variables[] = {
      {"ROCPROF_COUNTERS", "pmc: SQ_WAVES SQ:4"},
      {"ROCPROF_COLLECTION_PERIOD", "1000:2000:1;5:6:2"},
      {"ROCPROF_STATS_SUMMARY_GROUPS", "HIP.*##@@##KERNEL"},
      {"ROCPROF_DEMANGLE_KERNELS", "0"},
      {"ROCPROF_MINIMUM_OUTPUT_BYTES", "2048"},
      {"ROCPROF_PRELOAD", "/a.so:/b.so"}};
  for (const auto& [name, value] : variables) ASSERT_EQ(setenv(name, value, 1), 0);
  Settings settings;
  const Status taken = settings.AddVariables();
  for (const auto& [name, value] : variables) ASSERT_EQ(unsetenv(name), 0);
  ASSERT_TRUE(taken.ok()) << taken.message();
  EXPECT_EQ(settings.Words("pmc"), (Words{"SQ_WAVES", "SQ:4"}));
  EXPECT_EQ(settings.Words("collection_period"), (Words{"1000:2000:1", "5:6:2"}));
  EXPECT_EQ(settings.Word("collection_period_unit"), "nsec");
  EXPECT_EQ(settings.Words("summary_groups"), (Words{"HIP.*", "KERNEL"}));
  EXPECT_TRUE(settings.IsOn("mangled_kernels"));
  EXPECT_EQ(settings.Word("minimum_output_data"), "2");
  EXPECT_EQ(settings.Words("preload"), (Words{"/a.so", "/b.so"}));
}

query::Process SomeProcess() {
  query::Process process;
  process.pid = 4711;
  process.parent_pid = 42;
  process.host = "box";
  process.command = "/opt/bin/app -n 1";
  process.rank = 3;
  process.world = 8;
  return process;
}

TEST(OutputNames, HaveTheValuesOfTheProcess) {
  for (const char* name : {"SLURM_PROCID", "SLURM_JOB_ID", "MPI_RANK", "OMPI_COMM_WORLD_RANK",
                           "MPI_SIZE", "OMPI_COMM_WORLD_SIZE"}) {
    ASSERT_EQ(unsetenv(name), 0);
  }
  const OutputNames names({"/opt/bin/app", "-n", "1"}, 0);
  const auto expand = [&](const std::string& text) { return names.Expand(text, SomeProcess()); };
  EXPECT_EQ(expand("%hostname%/%pid%"), "box/4711");
  EXPECT_EQ(expand("{pid}-%p-%ppid%"), "4711-4711-42");
  EXPECT_EQ(expand("%tag%"), "app");
  EXPECT_EQ(expand("%argv%"), "opt_bin_app_-n_1");
  EXPECT_EQ(expand("%argt%"), "app-n_1");
  EXPECT_EQ(expand("%args%"), "-n_1");
  EXPECT_EQ(expand("%arg2%"), "1");
  EXPECT_EQ(expand("x%arg9%_y"), "xy");
  EXPECT_EQ(expand("%rank%of%size%"), "3of8");
  EXPECT_EQ(expand("%r-%s-%j-%nid%"), "3-8-0-3");
  EXPECT_EQ(expand("plain"), "plain");
  EXPECT_EQ(expand("50%"), "50%");
}

TEST(OutputNames, EveryKeyHasAValue) {
  ASSERT_EQ(setenv("X", "value", 1), 0);
  const OutputNames names({"/opt/bin/app", "-n"}, 0);
  const std::vector<std::string> keys = OutputNames::AllKeys();
  EXPECT_GT(keys.size(), 20u);
  for (const std::string& key : keys) {
    EXPECT_EQ(names.Expand("<" + key + ">", SomeProcess()).find(key), std::string::npos) << key;
  }
  ASSERT_EQ(unsetenv("X"), 0);
}

TEST(OutputNames, HaveVariables) {
  ASSERT_EQ(setenv("RTL_NAME_TEST", "/a b/c", 1), 0);
  const OutputNames names({"app"}, 0);
  for (const char* text : {"%env{RTL_NAME_TEST}%", "$env{RTL_NAME_TEST}", "$ENV{RTL_NAME_TEST}",
                           "%q{RTL_NAME_TEST}"}) {
    EXPECT_EQ(names.Expand(text, SomeProcess()), "a_b_c") << text;
  }
  ASSERT_EQ(unsetenv("RTL_NAME_TEST"), 0);
  EXPECT_EQ(names.Expand("x%env{RTL_NAME_TEST}%", SomeProcess()), "x");
}

TEST(OutputNames, AValueWithItsOwnKeyTerminates) {
  query::Process process = SomeProcess();
  process.command = "%tag%";
  process.executable = "%tag%";
  EXPECT_EQ(OutputNames({"x"}, 0).Expand("%tag%", process), "%tag%");
}

}  // namespace
}  // namespace rtl::v3
