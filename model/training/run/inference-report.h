/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFERENCE_REPORT_H
#define INFERENCE_REPORT_H

#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <ostream>

namespace ns3
{
namespace lightpath
{

class TrainingJob;

/// The sequences and GPUs of inference.
struct InferenceLoad
{
    uint32_t prefillGpus{0};   //!< GPUs for the prefill, the first ranks
    uint32_t decodeGpus{0};    //!< GPUs for the decode phase, the other ranks
    uint64_t prompts{0};       //!< Sequences of a prefill
    uint64_t sequences{0};     //!< Sequences of a decode step
    uint64_t promptTokens{0};  //!< Tokens of a prompt
    uint64_t outputTokens{0};  //!< Tokens that are generated for it
    uint64_t transferBytes{0}; //!< Bytes of keys and values of all prompts
};

/**
 * @ingroup lightpath
 * @brief Measures a job that runs a plan of InferencePlanner.
 *
 * The time to first token lasts from the begin of a prefill, for which no prompt has to wait, until
 * it has computed the first token of all prompts. The time of the transfer lasts from then on until
 * the last keys and values are at the GPUs that decode. The time per output token is that of a
 * decode step, which begins then.
 *
 * The times are those of the last iteration: the first one includes setting up circuits and
 * connections.
 */
class InferenceReport
{
  public:
    /**
     * Measure a job, which must not have started. It must not outlive this object.
     *
     * @param job the job
     * @param load its sequences and GPUs
     */
    InferenceReport(Ptr<TrainingJob> job, const InferenceLoad& load);

    InferenceReport(const InferenceReport&) = delete;
    InferenceReport& operator=(const InferenceReport&) = delete;

    /// Take the times of the job, which must have ended.
    void Finish();

    /**
     * @return the report as JSON: timeToFirstTokenSeconds, exposedTransferSeconds, transferBytes,
     *         timePerOutputTokenSeconds and requestSeconds; for each of "prefill" and "decode"
     *         gpus, sequences, computeSeconds, tokensPerSecond, tokensPerSecondPerGpu and
     *         requestsPerSecond
     */
    nlohmann::ordered_json GetJson() const;

    /**
     * @param os where to print the report
     */
    void Print(std::ostream& os) const;

    double firstTokenSeconds{0};     //!< Time to first token
    double transferSeconds{0};       //!< Time of the transfer behind it
    double outputTokenSeconds{0};    //!< Time per output token
    double prefillComputeSeconds{0}; //!< Time that a GPU computes in a prefill, mean over GPUs
    double decodeComputeSeconds{0};  //!< The same in a decode step

  private:
    /**
     * Note that a message has come in.
     *
     * @param rank the rank that it is for
     * @param source the rank that sent it
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void NoteMessage(uint32_t rank, uint32_t source, uint64_t tag, uint64_t bytes);

    /**
     * @return the time of a request from the begin of its prefill to its last token, seconds
     */
    double GetRequestSeconds() const;

    Ptr<TrainingJob> m_job; //!< The job
    InferenceLoad m_load;   //!< Its sequences and GPUs
    Time m_transferred;     //!< When the last keys and values of the last iteration came in
};

} // namespace lightpath
} // namespace ns3

#endif /* INFERENCE_REPORT_H */
