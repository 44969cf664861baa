/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_AVERAGING_REDUCER_H
#define LIGHTPATH_AVERAGING_REDUCER_H

#include "gradient-reducer.h"
#include "model/fabric/averaging-client.h"
#include "model/training/quantised-tensor.h"

#include "ns3/optical-net-device.h"

#include <memory>

/**
 * @ingroup lightpath
 * @brief Has gradients averaged by the network.
 */
class AveragingReducer : public GradientReducer
{
  public:
    /**
     * @param device the device of the server, on a network that averages
     * @param quantiser turns numbers into words
     */
    AveragingReducer(ns3::Ptr<ns3::lightpath::OpticalNetDevice> device,
                     ns3::Ptr<const ns3::lightpath::BlockQuantiser> quantiser)
        : m_client(ns3::CreateObject<ns3::lightpath::AveragingClient>()),
          m_quantiser(quantiser)
    {
        m_client->SetDevice(device);
        m_client->SetAverageCallback(
            ns3::Callback<void, uint64_t, uint64_t>([this](uint64_t, uint64_t) { NotifyDone(); }));
    }

    ~AveragingReducer() override
    {
        m_client->Dispose();
    }

    void Average(std::vector<float>& values) override
    {
        m_client->Send(m_round++,
                       std::make_shared<ns3::lightpath::QuantisedTensor>(values, m_quantiser));
    }

    uint64_t GetSentBytes() const override
    {
        return m_client->GetSentBytes();
    }

  private:
    ns3::Ptr<ns3::lightpath::AveragingClient> m_client;         //!< Sends and receives
    ns3::Ptr<const ns3::lightpath::BlockQuantiser> m_quantiser; //!< Makes words
    uint64_t m_round{0};                                        //!< Averages begun
};

#endif /* LIGHTPATH_AVERAGING_REDUCER_H */
