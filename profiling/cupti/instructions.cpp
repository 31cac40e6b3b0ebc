#if defined(WARPSPY_HAVE_CUPTI_HEADER)

#include "profiling/cupti/instructions.hpp"

#include <limits>
#include <map>

#include "profiling/cupti/context.hpp"
#include "profiling/cupti/failure.hpp"

namespace warpspy::cupti {
namespace {

// The ids of the metrics on this chip, and the members that get their values.
using Members = std::map<std::uint64_t, double InstructionCounts::*>;

Members members_on(const Functions& f, const std::string& chip) {
  require_instruction_metrics(chip, instruction_metrics_of(chip));
  Members members;
  for (const InstructionMetric& m : instruction_metrics()) {
    CUpti_SassMetrics_GetProperties_Params p{};
    p.structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE;
    p.pChipName = chip.c_str();
    p.pMetricName = m.name;
    check(f.sass_properties(&p), std::string("asking for the count ") + m.name);
    members[p.metric.metricId] = m.member;
  }
  return members;
}

// Configures and enables counting for its lifetime. CUPTI 13.0 reportedly counts only the first kernel after enabling,
// and only if it was configured just before. So each kernel gets an object of its own.
class Counting {
 public:
  Counting(const Functions& f, CUcontext context, int ordinal, const Members& members)
      : f_(f), context_(context), ordinal_(static_cast<std::uint32_t>(ordinal)) {
    std::vector<CUpti_SassMetrics_Config> wanted;
    for (const auto& [id, unused] : members) {
      CUpti_SassMetrics_Config c{};
      c.metricId = id;
      c.outputGranularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU;
      wanted.push_back(c);
    }
    CUpti_SassMetricsSetConfig_Params config{};
    config.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE;
    config.numOfMetricConfig = wanted.size();
    config.pConfigs = wanted.data();
    config.deviceIndex = ordinal_;
    const CUptiResult configured = f_.sass_set_config(&config);
    // CUPTI 13.0 on an H200 reports this although the previous configuration was removed.
    static bool before = false;
    if (configured == CUPTI_ERROR_OUT_OF_MEMORY && before)
      throw CounterFailure("this CUPTI counts the instructions of one kernel in a process",
                           "start Warpspy again, and choose a product of one launch", false);
    check(configured, "configuring counts per instruction");
    before = true;
    CUpti_SassMetricsEnable_Params enable{};
    enable.structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE;
    enable.ctx = context_;
    enable.enableLazyPatching = 1;  // only one of hundreds of kernels is launched
    const CUptiResult status = f_.sass_enable(&enable);
    if (status != CUPTI_SUCCESS) unset();
    check(status, "patching kernels to count their instructions");
  }
  ~Counting() {
    CUpti_SassMetricsDisable_Params p{};
    p.structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE;
    p.ctx = context_;
    f_.sass_disable(&p);
    unset();
  }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

  std::vector<InstructionCounts> flush(const Members& members) {
    CUpti_SassMetricsGetDataProperties_Params size{};
    size.structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE;
    size.ctx = context_;
    check(f_.sass_data_properties(&size), "asking how many instructions were counted");
    const std::size_t records = size.numOfPatchedInstructionRecords;
    if (records == 0 || size.numOfInstances == 0)
      throw CounterFailure("CUPTI patched the kernel but counted no instruction of it",
                           "run again in a new process; end other profilers", true);
    // The headers do not say whether the number of instances is for one metric or for all. So there is room for both;
    // an entry that was not written is recognised by its id.
    constexpr std::uint64_t untouched = std::numeric_limits<std::uint64_t>::max();
    const std::size_t room = size.numOfInstances * members.size();
    std::vector<CUpti_SassMetrics_InstanceValue> values(records * room, {untouched, 0});
    std::vector<CUpti_SassMetrics_Data> data(records);
    for (std::size_t i = 0; i < records; ++i) {
      data[i] = {};
      data[i].structSize = sizeof(CUpti_SassMetrics_Data);
      data[i].pInstanceValues = &values[i * room];
    }
    CUpti_SassMetricsFlushData_Params flush{};
    flush.structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
    flush.ctx = context_;
    flush.numOfPatchedInstructionRecords = records;
    flush.numOfInstances = size.numOfInstances;
    flush.pMetricsData = data.data();
    check(f_.sass_flush(&flush), "reading counts per instruction");
    // The counts of one instruction may be in several records.
    std::map<std::pair<std::string, std::uint32_t>, InstructionCounts> by_place;
    for (const CUpti_SassMetrics_Data& d : data) {
      const std::string function = d.functionName ? d.functionName : "";
      InstructionCounts& c = by_place[{function, d.pcOffset}];
      c.function = function;
      c.pc = d.pcOffset;
      for (std::size_t k = 0; k < room; ++k) {
        const auto member = members.find(d.pInstanceValues[k].metricId);
        if (member != members.end()) c.*member->second += static_cast<double>(d.pInstanceValues[k].value);
      }
    }
    std::vector<InstructionCounts> counts;
    for (auto& [place, c] : by_place) counts.push_back(std::move(c));
    return counts;
  }

 private:
  void unset() {
    CUpti_SassMetricsUnsetConfig_Params p{};
    p.structSize = CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE;
    p.deviceIndex = ordinal_;
    f_.sass_unset_config(&p);
  }

  const Functions& f_;
  CUcontext context_;
  std::uint32_t ordinal_;
};

}  // namespace

std::vector<InstructionCounts> count_instructions(const Functions& f, CUcontext context, int ordinal,
                                                  const std::function<void()>& launch) {
  const Members members = members_on(f, chip_of(f, ordinal));
  Counting counting(f, context, ordinal, members);
  launch();
  return counting.flush(members);
}

}  // namespace warpspy::cupti

#endif
