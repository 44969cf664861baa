/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "inference-report.h"

#include "report-format.h"
#include "training-application.h"
#include "training-job.h"

#include "ns3/message-tag.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The rates of a phase.
struct PhaseRates
{
    uint32_t gpus;         //!< Number of GPUs
    uint64_t sequences;    //!< Sequences at a time
    double computeSeconds; //!< Time that a GPU computes, mean over GPUs
    double tokens;         //!< Tokens per second
    double requests;       //!< Requests per second

    /**
     * @return the rates as JSON
     */
    nlohmann::ordered_json GetJson() const
    {
        return {{"gpus", gpus},
                {"sequences", sequences},
                {"computeSeconds", computeSeconds},
                {"tokensPerSecond", tokens},
                {"tokensPerSecondPerGpu", tokens / gpus},
                {"requestsPerSecond", requests}};
    }

    /**
     * @param os where to print the rates, to the end of the line
     */
    void Print(std::ostream& os) const
    {
        os << " (compute " << FormatSeconds(computeSeconds) << "), " << std::fixed
           << std::setprecision(0) << tokens << " tokens/s, " << std::setprecision(1)
           << tokens / gpus << " tokens/s/GPU, " << std::setprecision(2) << requests
           << " requests/s\n"
           << std::defaultfloat;
    }
};

/**
 * @param report a report
 * @param load the sequences and GPUs
 * @return the rates of the prefill
 */
PhaseRates
GetPrefill(const InferenceReport& report, const InferenceLoad& load)
{
    const double rate = load.prompts / report.firstTokenSeconds;
    return {load.prefillGpus,
            load.prompts,
            report.prefillComputeSeconds,
            rate * load.promptTokens,
            rate};
}

/**
 * @param report a report
 * @param load the sequences and GPUs
 * @return the rates of the decode phase
 */
PhaseRates
GetDecode(const InferenceReport& report, const InferenceLoad& load)
{
    const double rate = load.sequences / report.outputTokenSeconds;
    // The prefill computes the first token
    return {load.decodeGpus,
            load.sequences,
            report.decodeComputeSeconds,
            rate,
            rate / (load.outputTokens - 1)};
}

} // namespace

InferenceReport::InferenceReport(Ptr<TrainingJob> job, const InferenceLoad& load)
    : m_job(job),
      m_load(load)
{
    for (const auto& rank : job->GetRanks())
    {
        rank->TraceConnectWithoutContext("MessageReceived",
                                         MakeCallback(&InferenceReport::NoteMessage, this));
    }
}

void
InferenceReport::NoteMessage(uint32_t, uint32_t, uint64_t tag, uint64_t)
{
    const MessageTag fields = MessageTag::Decode(tag);
    if (fields.group == PIPELINE_GROUP && fields.iteration + 1 == m_job->GetNIterations())
    {
        m_transferred = Simulator::Now();
    }
}

void
InferenceReport::Finish()
{
    const std::size_t last = m_job->GetNIterations() - 1;
    const auto& ranks = m_job->GetRanks();
    Time begin = m_job->GetStart();
    Time first;
    Time step = m_transferred;
    Time end;
    Time prefill;
    Time decode;
    for (uint32_t rank = 0; rank < ranks.size(); ++rank)
    {
        const auto& records = ranks[rank]->GetRecords();
        const bool isPrefill = rank < m_load.prefillGpus;
        // A phase begins once its last GPU does
        Time& from = isPrefill ? begin : step;
        Time& to = isPrefill ? first : end;
        from = std::max(from, records[last].begin);
        to = std::max(to, records[last].end);
        (isPrefill ? prefill : decode) += records[last].compute;
    }
    firstTokenSeconds = ToSeconds(first - begin);
    transferSeconds = ToSeconds(std::max(m_transferred - first, Time(0)));
    outputTokenSeconds = ToSeconds(end - step);
    prefillComputeSeconds = ToSeconds(prefill) / m_load.prefillGpus;
    decodeComputeSeconds = ToSeconds(decode) / m_load.decodeGpus;
}

double
InferenceReport::GetRequestSeconds() const
{
    return firstTokenSeconds + transferSeconds + (m_load.outputTokens - 1) * outputTokenSeconds;
}

nlohmann::ordered_json
InferenceReport::GetJson() const
{
    return {{"timeToFirstTokenSeconds", firstTokenSeconds},
            {"exposedTransferSeconds", transferSeconds},
            {"transferBytes", m_load.transferBytes},
            {"timePerOutputTokenSeconds", outputTokenSeconds},
            {"requestSeconds", GetRequestSeconds()},
            {"prefill", GetPrefill(*this, m_load).GetJson()},
            {"decode", GetDecode(*this, m_load).GetJson()}};
}

void
InferenceReport::Print(std::ostream& os) const
{
    os << "prefill: time to first token " << FormatSeconds(firstTokenSeconds);
    GetPrefill(*this, m_load).Print(os);
    os << "transfer: " << std::fixed << std::setprecision(3) << m_load.transferBytes / 1e9
       << " GB of keys and values, complete " << FormatSeconds(transferSeconds)
       << " after the first token\n"
       << "decode: time per output token " << FormatSeconds(outputTokenSeconds);
    GetDecode(*this, m_load).Print(os);
    os << "request: " << m_load.outputTokens << " tokens in " << FormatSeconds(GetRequestSeconds())
       << ", without waiting for other requests\n";
}

} // namespace lightpath
} // namespace ns3
