/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_SLICE_H
#define JOB_SLICE_H

#include "ns3/net-device-container.h"
#include "ns3/training-job.h"
#include "ns3/transport.h"

#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

class JobPorts;

/**
 * @ingroup lightpath
 * @brief Gives a job a part of the ports of a fabric, and leaves them to other jobs at its end.
 */
class JobSlice
{
  public:
    /**
     * @param devices the devices of a job
     * @return their ports if the job leaves others to other jobs; null if rank r runs on port r of
     * all, or if the network is no fabric
     */
    static std::shared_ptr<const JobPorts> FindPorts(const NetDeviceContainer& devices);

    /**
     * Tell a transport the ports of its job. One that cannot serve a job on a part of a fabric ends
     * the program with a sentence.
     *
     * @param transport the transport of a rank
     * @param ports the ports of the job; null for rank r on port r
     */
    static void SharePorts(Transport& transport, std::shared_ptr<const JobPorts> ports);

    /**
     * Leave the devices of a job to other jobs once it has finished.
     *
     * @param job the job
     * @param transports the transport of each rank, owned by the job
     */
    static void ReleaseWhenFinished(TrainingJob& job,
                                    const std::vector<Ptr<Transport>>& transports);
};

} // namespace lightpath
} // namespace ns3

#endif /* JOB_SLICE_H */
