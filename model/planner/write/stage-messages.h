/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAGE_MESSAGES_H
#define STAGE_MESSAGES_H

#include "pipeline-schedule.h"
#include "staged-model.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The messages between a stage of a pipeline and its neighbours: activations forward, and
 * their gradients backward.
 */
class StageMessages
{
  public:
    /**
     * @param model the model as it is cut up; it must outlive this object
     * @param stage the stage
     */
    StageMessages(const StagedModel& model, uint32_t stage);

    /**
     * @param pass a pass
     * @return the operators of another part whose results it reads
     */
    const std::vector<uint32_t>& GetReceived(const StagePass& pass) const;

    /**
     * @param pass a pass
     * @return the operators of it whose results another part reads
     */
    const std::vector<uint32_t>& GetSent(const StagePass& pass) const;

    /**
     * @param pass a pass
     * @return the operator after which all results for another part have been written; UINT32_MAX
     *         if no part reads any
     */
    uint32_t FindSendAfter(const StagePass& pass) const;

    /**
     * @param kind send or receive
     * @param pass a pass
     * @return its message
     */
    Task Make(TaskKind kind, const StagePass& pass) const;

    /**
     * @param pass a pass
     * @return the bytes that an all-gather makes whole on each GPU after the receive; 0 if there is
     *         none
     */
    uint64_t GetGatheredBytes(const StagePass& pass) const;

  private:
    /**
     * @param kind send or receive
     * @param pass a pass
     * @return the part behind the boundary that the message crosses
     */
    uint32_t GetBoundary(TaskKind kind, const StagePass& pass) const;

    /**
     * @param pass a pass
     * @return the part of the layers that it goes through
     */
    uint32_t GetPart(const StagePass& pass) const;

    const StagedModel& m_model;         //!< The model as it is cut up
    uint32_t m_stage;                   //!< The stage
    const std::vector<uint32_t> m_none; //!< No operators
};

} // namespace lightpath
} // namespace ns3

#endif /* STAGE_MESSAGES_H */
