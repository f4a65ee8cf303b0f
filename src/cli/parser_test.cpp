// SPDX-License-Identifier: MIT
#include "cli/parser.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

template <typename T>
T Parsed(std::vector<std::string> arguments) {
  Command command = ParseArguments(std::move(arguments));
  if (const Finished* finished = std::get_if<Finished>(&command)) {
    ADD_FAILURE() << finished->text;
    return {};
  }
  const T* options = std::get_if<T>(&command);
  EXPECT_NE(options, nullptr);
  return options == nullptr ? T{} : *options;
}

// The one-line error for wrong arguments.
std::string Complaint(std::vector<std::string> arguments) {
  const Command command = ParseArguments(std::move(arguments));
  const Finished* finished = std::get_if<Finished>(&command);
  if (finished == nullptr) return "(accepted)";
  EXPECT_EQ(finished->code, kExitUsage);
  EXPECT_EQ(finished->text.find('\n'), finished->text.size() - 1);
  return finished->text;
}

std::string Help(std::vector<std::string> arguments) {
  const Command command = ParseArguments(std::move(arguments));
  const Finished* finished = std::get_if<Finished>(&command);
  EXPECT_NE(finished, nullptr);
  if (finished == nullptr) return "";
  EXPECT_EQ(finished->code, 0);
  return finished->text;
}

using Words = std::vector<std::string>;

TEST(TraceArguments, TakesAllArgumentsAfterDashesAsTheProgram) {
  const auto options = Parsed<TraceOptions>({"trace", "-o", "x.db", "--", "app", "-o", "y", "--"});
  EXPECT_EQ(options.output, "x.db");
  EXPECT_EQ(options.command, (Words{"app", "-o", "y", "--"}));
  EXPECT_FALSE(options.on_vgpu);
  EXPECT_TRUE(options.summary);
}

TEST(TraceArguments, TakesTheLeastCoverageInPercent) {
  EXPECT_FALSE(Parsed<TraceOptions>({"trace", "a"}).min_coverage.has_value());
  EXPECT_FALSE(Parsed<TraceOptions>({"trace", "a"}).lossless);
  EXPECT_TRUE(Parsed<TraceOptions>({"trace", "--lossless", "a"}).lossless);
  EXPECT_FALSE(Parsed<TraceOptions>({"trace", "a"}).barriers);
  EXPECT_TRUE(Parsed<TraceOptions>({"trace", "--barriers", "a"}).barriers);
  EXPECT_EQ(Parsed<TraceOptions>({"trace", "--min-coverage", "99.5", "a"}).min_coverage, 99.5);
  EXPECT_EQ(Complaint({"trace", "--min-coverage", "101", "a"}),
            "rtl: --min-coverage takes 0 to 100 percent (try: rtl trace --help)\n");
}

TEST(TraceArguments, TakeATimeLimitForHangs) {
  const auto timeout = [](const char* text) {
    return Parsed<TraceOptions>({"trace", "--hang-timeout", text, "a"}).hang_timeout_ns;
  };
  EXPECT_EQ(Parsed<TraceOptions>({"trace", "a"}).hang_timeout_ns, 0u);
  EXPECT_EQ(timeout("60s"), 60'000'000'000u);
  EXPECT_EQ(timeout("2"), 2'000'000'000u);
  EXPECT_EQ(timeout("500ms"), 500'000'000u);
  EXPECT_EQ(timeout("1.5m"), 90'000'000'000u);
  for (const char* wrong : {"soon", "0s", "-1s", "5 s", "5d", "1e300s"}) {
    EXPECT_EQ(Complaint({"trace", "--hang-timeout", wrong, "a"}),
              "rtl: --hang-timeout takes a time, as 60s, 500ms or 10m (try: rtl trace --help)\n")
        << wrong;
  }
}

TEST(TraceArguments, TakeAWindow) {
  const auto trace = Parsed<TraceOptions>(
      {"trace", "--delay", "1.5", "--duration", "200ms", "--while-range", "step", "a"});
  EXPECT_EQ(trace.delay_ns, 1'500'000'000u);
  EXPECT_EQ(trace.duration_ns, 200'000'000u);
  EXPECT_EQ(trace.while_range, "step");
  EXPECT_EQ(Parsed<TraceOptions>({"trace", "--delay", "0", "a"}).delay_ns, 0u);
  EXPECT_EQ(Parsed<SummaryOptions>({"summary", "--from", "0s"}).selection.from, uint64_t{0});
  EXPECT_EQ(Complaint({"trace", "--duration", "0", "a"}),
            "rtl: --duration takes a time, as 5s, 1.5 or 200ms (try: rtl trace --help)\n");
  const auto named = Parsed<TraceOptions>({"trace", "--from", "1", "--to", "3s", "--range", "step",
                                           "--kernel", "ge+mm", "--rank", "2", "--gpu", "1", "a"});
  EXPECT_EQ(named.delay_ns, 1'000'000'000u);
  EXPECT_EQ(named.duration_ns, 2'000'000'000u);
  EXPECT_EQ(named.while_range, "step");
  EXPECT_EQ(named.choice.kernel, "ge+mm");
  EXPECT_EQ(named.choice.rank, 2);
  EXPECT_EQ(named.choice.gpu, 1);
  EXPECT_EQ(Complaint({"trace", "--from", "3", "--to", "3", "a"}),
            "rtl: --from must be before --to (try: rtl trace --help)\n");
  EXPECT_EQ(Complaint({"trace", "--to", "3", "--duration", "3", "a"}),
            "rtl: --to and --duration exclude each other (try: rtl trace --help)\n");
  EXPECT_EQ(Complaint({"trace", "--kernel", "a(", "a"}),
            "rtl: --kernel a(: Unmatched ( or \\( (try: rtl trace --help)\n");
  EXPECT_EQ(Complaint({"trace", "--delay", "-1", "a"}),
            "rtl: --delay takes a time, as 5s, 1.5 or 200ms (try: rtl trace --help)\n");
  EXPECT_EQ(Complaint({"trace", "--duration", "long", "a"}),
            "rtl: --duration takes a time, as 5s, 1.5 or 200ms (try: rtl trace --help)\n");
}

TEST(TraceArguments, SelectEvents) {
  EXPECT_EQ(Parsed<TraceOptions>({"trace", "a"}).events, "");
  EXPECT_EQ(Parsed<TraceOptions>({"trace", "--events", "kernels,hsa", "a"}).events, "kernels,hsa");
  EXPECT_EQ(
      Complaint({"trace", "--events", "kernels,hsb", "a"}),
      "rtl: --events: \"hsb\" is not a kind of event (kernels, markers, hip, copies, barriers,"
      " hsa, memory, scratch, init, hip-compiler, counters, rccl, pc-samples) (try: rtl trace "
      "--help)\n");
  EXPECT_EQ(Complaint({"trace", "--events", "barriers", "a"}),
            "rtl: --events: barriers are recorded only with kernels: select kernels as well"
            " (try: rtl trace --help)\n");
  EXPECT_EQ(Complaint({"trace", "--mode", "clr", "--events", "hsa", "a"}),
            "rtl: --events is not available in mode clr, which records the events of HIP's profiler"
            " (try: rtl trace --help)\n");
}

TEST(TraceArguments, NeedsNoDashesBeforeAProgram) {
  const auto options = Parsed<TraceOptions>({"trace", "python3", "-c", "pass", "--vgpu"});
  EXPECT_EQ(options.command, (Words{"python3", "-c", "pass", "--vgpu"}));
  EXPECT_EQ(options.output, "trace.db");
  EXPECT_FALSE(options.on_vgpu);
}

TEST(TraceArguments, LeavesDashesToAProgramNamedBefore) {
  const auto options = Parsed<TraceOptions>({"trace", "git", "log", "--", "file"});
  EXPECT_EQ(options.command, (Words{"git", "log", "--", "file"}));
}

TEST(TraceArguments, TakesTheNumberOfVirtualGpusOnlyAfterAnEqualsSign) {
  const auto one = Parsed<TraceOptions>({"trace", "--vgpu", "./4"});
  EXPECT_TRUE(one.on_vgpu);
  EXPECT_EQ(one.gpus, std::nullopt);
  EXPECT_EQ(one.command, (Words{"./4"}));
  const auto four = Parsed<TraceOptions>({"trace", "--vgpu=4", "--no-summary", "--", "app"});
  EXPECT_TRUE(four.on_vgpu);
  EXPECT_EQ(four.gpus, 4u);
  EXPECT_FALSE(four.summary);
}

TEST(TraceArguments, RefusesAnInvalidNumberOfGpus) {
  EXPECT_EQ(Parsed<DoctorOptions>({"doctor", "--vgpu=2"}).gpus, 2u);
  EXPECT_FALSE(Parsed<DoctorOptions>({"doctor"}).on_vgpu);
  for (const std::string verb : {"trace", "doctor"}) {
    for (const std::string gpus : {"0", "-1", "9", "true", "two", "2x", "99999999999"}) {
      EXPECT_EQ(Complaint(verb == "trace" ? Words{verb, "--vgpu=" + gpus, "ls"}
                                          : Words{verb, "--vgpu=" + gpus}),
                "rtl: --vgpu takes 1 to 8 GPUs, not " + gpus + " (try: rtl " + verb + " --help)\n");
    }
    EXPECT_EQ(Complaint(verb == "trace" ? Words{verb, "--vgpu=", "ls"} : Words{verb, "--vgpu="}),
              "rtl: --vgpu needs a value (try: rtl " + verb + " --help)\n");
  }
}

TEST(TraceArguments, TakeARunningProcessInsteadOfAProgram) {
  const auto options =
      Parsed<TraceOptions>({"trace", "-p", "17", "--duration", "5s", "-o", "x.db"});
  EXPECT_EQ(options.process, "17");
  EXPECT_EQ(options.duration_ns, 5'000'000'000u);
  EXPECT_EQ(options.output, "x.db");
  const std::string tail = " (try: rtl trace --help)\n";
  EXPECT_EQ(Complaint({"trace", "--pid", "17", "--", "ls"}),
            "rtl: --pid attaches to a running program and starts none" + tail);
  EXPECT_EQ(Complaint({"trace", "--pid", "17", "--vgpu"}),
            "rtl: --vgpu must be set when the program starts, by its variable" + tail);
  EXPECT_EQ(Complaint({"trace", "--pid", "17", "--pftrace", "x"}),
            "rtl: --pftrace is not available with --pid" + tail);
  EXPECT_EQ(Complaint({"trace", "--pid", "17", "--mode", "clr"}),
            "rtl: --mode clr is not available with --pid" + tail);
  EXPECT_EQ(
      Complaint({"trace", "--pid", "17", "--mode", "nonsense"}).find("rtl: --mode nonsense is"),
      0u);
  EXPECT_EQ(
      Complaint({"trace", "--pid", "17", "--events", "bogus"}).find("rtl: --events: \"bogus\""),
      0u);
}

TEST(MergeArguments, AreTwoTracesAndAnotherFile) {
  const auto options = Parsed<MergeOptions>({"merge", "a.db", "-o", "all.db", "b.db"});
  EXPECT_EQ(options.files, (Words{"a.db", "b.db"}));
  EXPECT_EQ(options.output, "all.db");
  const std::string tail = " (try: rtl merge --help)\n";
  EXPECT_EQ(Complaint({"merge", "a.db", "-o", "all.db"}),
            "rtl: merge takes two traces or more" + tail);
  EXPECT_EQ(Complaint({"merge", "a.db", "b.db", "-o", "./b.db"}),
            "rtl: the output would replace b.db" + tail);
  EXPECT_EQ(Complaint({"merge", "a.db", "b.db", "-o", "-"}),
            "rtl: a database needs a file, not standard output" + tail);
}

TEST(TraceArguments, RefusesUnknownModesBeforeTheProgramRuns) {
  EXPECT_EQ(Parsed<TraceOptions>({"trace", "--mode", "lite", "app"}).mode, "lite");
  EXPECT_EQ(Parsed<TraceOptions>({"trace", "--mode", "clr", "app"}).mode, "clr");
  EXPECT_TRUE(Parsed<TraceOptions>({"trace", "--allow-fallback", "app"}).allow_fallback);
  EXPECT_NE(Complaint({"trace", "--mode", "nonsense", "app"}).find("nonsense"), std::string::npos);
}

TEST(Help, IsFoundWithoutKnowingOptions) {
  const auto text = [](Words words) {
    const auto finished = std::get<Finished>(ParseArguments(std::move(words)));
    EXPECT_EQ(finished.code, 0);
    return finished.text;
  };
  EXPECT_EQ(text({}), text({"--help"}));
  EXPECT_EQ(text({"help"}), text({"--help"}));
  EXPECT_EQ(text({"help", "summary"}), text({"summary", "--help"}));
  EXPECT_EQ(text({"version"}), text({"--version"}));
}

TEST(WrongArguments, AreOneLineWithAHint) {
  EXPECT_EQ(Complaint({"sumary"}),
            "rtl: unknown verb sumary (did you mean summary?) (try: rtl --help)\n");
  EXPECT_EQ(Complaint({"foo"}), "rtl: unknown verb foo (try: rtl --help)\n");
  EXPECT_EQ(Complaint({"trace"}), "rtl: no program to trace (try: rtl trace --help)\n");
  EXPECT_EQ(Complaint({"trace", "--bogus", "ls"}),
            "rtl: unknown option --bogus (try: rtl trace --help)\n");
  EXPECT_EQ(Complaint({"summary", "--sort", "name"}),
            "rtl: --sort takes total, calls or avg, not name (try: rtl summary --help)\n");
  EXPECT_EQ(Parsed<SummaryOptions>({"summary", "--csv", "--table", "copies"}).table, "copies");
  EXPECT_EQ(Complaint({"summary", "--table", "copies"}),
            "rtl: --table needs --csv; --json has all tables (try: rtl summary --help)\n");
  EXPECT_EQ(Complaint({"summary", "--csv", "--table", "cats"}),
            "rtl: --table takes one of kernels, gpus, calls, copies, ranges, events, completeness, "
            "not cats"
            " (try: rtl summary --help)\n");
  EXPECT_EQ(Complaint({"summary", "--csv", "--json"}),
            "rtl: --csv and --json exclude each other (try: rtl summary --help)\n");
  EXPECT_EQ(Complaint({"trace", "--split", "--pftrace", "x", "ls"}),
            "rtl: --split and --pftrace exclude each other; rtl convert takes one database (try: "
            "rtl trace --help)\n");
  EXPECT_EQ(
      Complaint({"convert", "--to", "otf9"}),
      "rtl: --to takes pftrace, chrome, db, rpd, parquet, folded, speedscope, csv, json, rocpd or "
      "otf2, not otf9 (try: rtl convert --help)\n");
  EXPECT_EQ(Complaint({"convert", "--to", "db", "-o", "-"}),
            "rtl: a database needs a file, not standard output (try: rtl convert --help)\n");
  EXPECT_EQ(Complaint({"convert", "--to", "db", "-o", "a.db.zst"}),
            "rtl: databases are not compressed; compress the file that is written (try: rtl "
            "convert --help)\n");
  EXPECT_EQ(Complaint({"collect", "--spool", "x"}),
            "rtl: --spool and --output are required (try: rtl collect --help)\n");
  EXPECT_EQ(Complaint({"dump"}),
            "rtl: dump needs a process: its pid, or the directory of its spool (try: rtl dump "
            "--help)\n");
  for (const Words& words : {Words{"summary", "-n", "x"}, Words{"summary", "a", "b"},
                             Words{"trace", "--vgpu=9", "ls"}, Words{"trace", "--vgpu=x", "ls"}}) {
    EXPECT_NE(Complaint(words).find("try: rtl " + words[0] + " --help"), std::string::npos);
  }
}

TEST(WrongArguments, AreReportedInPlainWords) {
  const std::pair<Words, std::string> cases[] = {
      {{"-v"}, "unknown option -v (try: rtl --help)"},
      {{"--quiet", "info"}, "unknown option --quiet (try: rtl info --help)"},
      {{"summary", "--rows", "3"}, "unknown option --rows (try: rtl summary --help)"},
      {{"info", "a.db", "b.db"}, "unexpected argument: b.db (try: rtl info --help)"},
      {{"info", "a.db", "b.db", "c.db"}, "unexpected argument: b.db (try: rtl info --help)"},
      {{"summary", "-n", "many"}, "-n takes a number, not many (try: rtl summary --help)"},
      {{"summary", "-n"}, "-n needs a value (try: rtl summary --help)"},
      {{"trace", "-o", "a", "-o", "b", "ls"},
       "--output is given more than once (try: rtl trace --help)"},
      {{"trace", "--mode", "5;5", "ls"},
       "--mode 5;5 is not understood (auto, full, standard, default, lite, hip, clr) (try: rtl "
       "trace --help)"},
      {{"x\n\033[31m"}, "unknown verb x??[31m (try: rtl --help)"}};
  for (const auto& [words, complaint] : cases) {
    EXPECT_EQ(Complaint(words), "rtl: " + complaint + "\n");
  }
}

TEST(WrongArguments, IncludeANumberOfGpusAsTheProgram) {
  for (const Words& words :
       {Words{"trace", "--vgpu", "2", "--", "ls"}, Words{"trace", "--vgpu", "2"}}) {
    EXPECT_EQ(Complaint(words),
              "rtl: write the number of virtual GPUs as --vgpu=2 (try: rtl trace --help)\n");
  }
  EXPECT_EQ(Parsed<TraceOptions>({"trace", "--vgpu=2", "7", "x"}).command.front(), "7");
}

TEST(WrongArguments, IncludeACompressedDatabase) {
  for (const std::string name : {"x.db.gz", "x.db.zst"}) {
    EXPECT_EQ(Complaint({"convert", "-o", name}),
              "rtl: databases are not compressed; compress the file that is written (try: rtl "
              "convert --help)\n");
  }
}

TEST(WrongArguments, IncludeADatabaseWithoutAFile) {
  EXPECT_EQ(Complaint({"trace", "-o", "-", "ls"}),
            "rtl: a database needs a file, not standard output (try: rtl trace --help)\n");
  EXPECT_EQ(Complaint({"collect", "--spool", "x", "--output", "-"}),
            "rtl: a database needs a file, not standard output (try: rtl collect --help)\n");
  EXPECT_EQ(Complaint({"trace", "--pftrace", "-", "ls"}),
            "rtl: standard output belongs to the program; rtl convert -o - writes there (try: rtl "
            "trace --help)\n");
}

TEST(WrongArguments, IncludeEmptyValues) {
  for (const Words& words :
       {Words{"convert", "-o", ""}, Words{"collect", "--spool", "x", "--output", ""},
        Words{"collect", "--spool", "", "--output", "x"}, Words{"report", "-o", ""},
        Words{"summary", "--kernel", ""}, Words{"summary", "--rank", ""},
        Words{"analyze", "--categories", ""}, Words{"diff", "a", "b", "-n", ""},
        Words{"counters", "list", "--gpu", ""}, Words{"fleet", "verdict", "job", "--from", ""},
        Words{"fleet", "verdict", "job", "--step", ""}, Words{"selftest", "--limit", ""},
        Words{"selftest", "--hip", ""}}) {
    EXPECT_NE(Complaint(words).find(" needs a value (try: "), std::string::npos) << words.back();
  }
  for (const char* option : {"-o",
                             "--mode",
                             "--events",
                             "--pmc",
                             "--pmc-kernels",
                             "--pmc-launches",
                             "--counters-file",
                             "--pmc-group-interval",
                             "--pftrace",
                             "--delay",
                             "--duration",
                             "--to",
                             "--while-range",
                             "--kernel",
                             "--rank",
                             "--gpu",
                             "--min-coverage",
                             "--hang-timeout",
                             "--ring",
                             "--dump-on-mark",
                             "--dump-on-range",
                             "--dataset",
                             "--summaries",
                             "--segment",
                             "--pid",
                             "--pc-sampling"}) {
    EXPECT_NE(Complaint({"trace", option, "", "--", "ls"}).find(" needs a value (try: "),
              std::string::npos)
        << option;
  }
}

TEST(WrongArguments, IncludeNumbersThatCountNothing) {
  const std::pair<Words, std::string> cases[] = {
      {{"summary", "--rank", "-1"}, "--rank takes a number, 0 to 2147483647, not -1"},
      {{"summary", "--gpu", "4294967296"}, "--gpu takes a number, 0 to 2147483647, not 4294967296"},
      {{"trace", "--rank", "-1", "ls"}, "--rank takes a number, 0 to 2147483647, not -1"},
      {{"trace", "--gpu", "99999999999999999999", "ls"},
       "--gpu takes a number, 0 to 2147483647, not 99999999999999999999"},
      {{"trace", "--pmc", "SQ_WAVES", "--pmc-group-interval", "nan", "ls"},
       "--pmc-group-interval takes a number, 1 to 1000000000, not nan"},
      {{"selftest", "--limit", "0"}, "--limit takes a number, 1 to 3600, not 0"},
      {{"fleet", "verdict", "job", "--from", "here"},
       "--from takes one of events,summaries, not here"}};
  for (const auto& [words, complaint] : cases) {
    EXPECT_EQ(Complaint(words), "rtl: " + complaint + " (try: rtl " + words[0] + " --help)\n");
  }
}

TEST(WrongArguments, IncludeOptionsThatWouldDoNothing) {
  for (const std::string option : {"--pmc-group-interval", "--counters-file", "--pmc-kernels",
                                   "--pmc-not-kernels", "--pmc-launches"}) {
    EXPECT_EQ(Complaint({"trace", option, "1", "ls"}),
              "rtl: " + option + " needs --pmc (try: rtl trace --help)\n");
  }
  EXPECT_EQ(Complaint({"trace", "--events", "kernels,counters", "ls"}),
            "rtl: --events counters needs --pmc, which names them (try: rtl trace --help)\n");
  EXPECT_EQ(
      Complaint({"trace", "--events", "pc-samples", "ls"}),
      "rtl: --events pc-samples needs --pc-sampling, which has their interval (try: rtl trace "
      "--help)\n");
  EXPECT_EQ(
      Parsed<TraceOptions>({"trace", "--events", "counters", "--pmc", "SQ_WAVES", "ls"}).events,
      "counters");
}

TEST(WrongArguments, IncludeAFormatThatContradictsTheName) {
  EXPECT_EQ(Complaint({"convert", "-o", "x.txt"}),
            "rtl: no format has the extension .txt; --to takes pftrace, chrome, db, rpd, parquet, "
            "folded, speedscope, csv, json, rocpd or otf2 (try: rtl convert --help)\n");
  EXPECT_EQ(Complaint({"convert", "-o", "x.html"}),
            "rtl: rtl report writes HTML pages (try: rtl convert --help)\n");
  EXPECT_EQ(Complaint({"report", "-o", "x.json"}),
            "rtl: -o names an HTML page, and x.json is no such name (try: rtl report --help)\n");
  EXPECT_EQ(Complaint({"report", "./a", "-o", "a"}),
            "rtl: the page would replace the trace (try: rtl report --help)\n");
  EXPECT_EQ(Complaint({"trace", "-o", "x.json", "ls"}),
            "rtl: -o names the database, and x.json is no such name; rtl convert writes other "
            "formats (try: rtl trace --help)\n");
  EXPECT_EQ(Complaint({"trace", "--pftrace", "x.csv", "ls"}),
            "rtl: --pftrace names a timeline, and x.csv is no such name (try: rtl trace --help)\n");
  EXPECT_NE(Complaint({"collect", "--spool", "x", "--output", "x.csv"}).find("x.csv"),
            std::string::npos);
  EXPECT_EQ(Complaint({"convert", "--steps", "step"}),
            "rtl: --steps is for --to chrome (try: rtl convert --help)\n");
}

TEST(SummaryArguments, HaveDefaults) {
  const auto options = Parsed<SummaryOptions>({"summary"});
  EXPECT_EQ(options.file, "trace.db");
  EXPECT_EQ(options.rows, std::nullopt);
  EXPECT_EQ(options.format, TableFormat::kText);
  const auto chosen =
      Parsed<SummaryOptions>({"summary", "a.db", "-n", "3", "--sort", "avg", "--csv"});
  EXPECT_EQ(chosen.file, "a.db");
  EXPECT_EQ(chosen.rows, 3u);
  EXPECT_EQ(chosen.order, analysis::SummaryOrder::kAverage);
  EXPECT_EQ(chosen.format, TableFormat::kCsv);
}

TEST(DiffArguments, AreTwoTracesOrSeveralASide) {
  const auto two = Parsed<DiffOptions>({"diff", "a.db", "b.db"});
  EXPECT_EQ(two.before, Words({"a.db"}));
  EXPECT_EQ(two.after, Words({"b.db"}));
  const auto several = Parsed<DiffOptions>(
      {"diff", "a.db", "b.db", "--with", "c.db", "d.db", "--fail-if", "kernel>5%", "--json"});
  EXPECT_EQ(several.before, Words({"a.db", "b.db"}));
  EXPECT_EQ(several.after, Words({"c.db", "d.db"}));
  ASSERT_EQ(several.limits.size(), 1u);
  EXPECT_EQ(several.format, TableFormat::kJson);
  EXPECT_EQ(Complaint({"diff", "a.db"}),
            "rtl: diff takes two traces; with more, name the earlier ones before --with, the later "
            "ones after it "
            "(try: rtl diff --help)\n");
  EXPECT_EQ(Complaint({"diff", "a.db", "b.db", "--fail-if", "5"}),
            "rtl: --fail-if takes a limit as 'kernel>5%', of kernel, copy, range or call, not 5 "
            "(try: rtl diff --help)\n");
}

TEST(SelectionArguments, AreThoseOfEveryReadingVerb) {
  const auto summary = Parsed<SummaryOptions>({"summary", "--kernel", "gemm", "--range", "step",
                                               "--from", "1.5s", "--to", "2s", "--gpu", "0"});
  EXPECT_EQ(summary.selection.AsText(),
            "kernels that match gemm, of GPU 0, during ranges step, from 1.5 s, to 2 s");
  EXPECT_EQ(Parsed<DiffOptions>({"diff", "a.db", "b.db", "--rank", "3"}).selection.rank, 3);
  EXPECT_EQ(Parsed<AnalyzeOptions>({"analyze", "--gpu", "1"}).selection.gpu, 1);
  EXPECT_EQ(Parsed<ConvertOptions>({"convert", "--range", "step"}).selection.range, "step");
  EXPECT_EQ(Parsed<ConvertOptions>({"convert", "--to", "chrome", "--until", "2s"}).selection.to,
            2'000'000'000);
  EXPECT_EQ(Parsed<SummaryOptions>({"summary", "--until", "2s"}).selection.to, 2'000'000'000);
  EXPECT_EQ(Complaint({"convert", "--until", "soon"}),
            "rtl: --until takes a time since the program began, as 1.5s or 200ms (try: rtl convert "
            "--help)\n");
  EXPECT_EQ(Complaint({"convert", "--to", "rpd", "--gpu", "1"}),
            "rtl: a database is converted as a whole; select when you read it (try: rtl convert "
            "--help)\n");
  EXPECT_TRUE(Parsed<SummaryOptions>({"summary"}).selection.empty());
  EXPECT_EQ(Complaint({"summary", "--from", "2s", "--to", "1s"}),
            "rtl: --from must be before --to (try: rtl summary --help)\n");
  EXPECT_EQ(Complaint({"summary", "--to", "soon"}),
            "rtl: --to takes a time since the program began, as 1.5s or 200ms (try: rtl summary "
            "--help)\n");
  EXPECT_NE(Complaint({"summary", "--kernel", "gemm("}).find("rtl: --kernel gemm(: "),
            std::string::npos);
}

TEST(ConvertArguments, NameTheOutputAfterTheTrace) {
  EXPECT_EQ(Parsed<ConvertOptions>({"convert"}).output, "trace.pftrace");
  EXPECT_EQ(Parsed<ConvertOptions>({"convert", "d.d/run", "--to", "chrome"}).output,
            "d.d/run.json");
  const auto by_name = Parsed<ConvertOptions>({"convert", "a.db", "-o", "b.json.gz"});
  EXPECT_EQ(by_name.to, ConvertTo::kChrome);
  EXPECT_EQ(by_name.output, "b.json.gz");
  EXPECT_EQ(Parsed<ConvertOptions>({"convert", "t.db", "--to", "db"}).output, "t.new.db");
  EXPECT_EQ(Parsed<ConvertOptions>({"convert", "a.db", "-o", "b.db"}).to, ConvertTo::kDatabase);
  EXPECT_EQ(Parsed<ConvertOptions>({"convert", "a.db", "-o", "b.rpd"}).to, ConvertTo::kRpd);
  EXPECT_EQ(Parsed<ConvertOptions>({"convert", "--to", "rpd"}).output, "trace.rpd");
  EXPECT_EQ(Parsed<ConvertOptions>({"convert", "-o", "a.json", "--steps", "step"}).steps, "step");
}

TEST(Outputs, MustNotOverwriteOneAnother) {
  for (const std::string name : {"a.db", "./a.db", "x/../a.db"}) {
    EXPECT_EQ(Complaint({"convert", "a.db", "-o", name}),
              "rtl: the output would replace the trace (try: rtl convert --help)\n");
    EXPECT_EQ(Complaint({"trace", "-o", "a.db", "--pftrace", name, "ls"}),
              "rtl: the timeline would replace the database a.db (try: rtl trace --help)\n");
  }
  EXPECT_NE(Complaint({"convert", "a", "--to", "pftrace", "-o", "./a"}).find("replace"),
            std::string::npos);
  EXPECT_EQ(Parsed<ConvertOptions>({"convert", "x/a.db", "-o", "a.db"}).output, "a.db");
}

TEST(Help, IsShortAndHasExamples) {
  const std::string help = Help({"--help"});
  EXPECT_NE(help.find("rtl trace --vgpu -- ./app"), std::string::npos);
  EXPECT_NE(help.find("\nVerbs:\n"), std::string::npos);
  EXPECT_EQ(help.find("rtl rtl"), std::string::npos);
  EXPECT_NE(Help({"trace", "--help"}).find("[--] PROGRAM [ARGUMENTS]"), std::string::npos);
  EXPECT_EQ(Help({"--version"}).substr(0, 4), "rtl ");
  EXPECT_NE(Help({"--version"}).find("\nbuilt for Linux on x86_64 with glibc 2."),
            std::string::npos);
}

}  // namespace
}  // namespace rtl::cli
