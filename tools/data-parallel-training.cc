/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "data-parallel-training.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>
#include <utility>

using namespace ns3;

DataParallelTraining::DataParallelTraining(const std::vector<DigitImage>& images,
                                           const LearningOptions& options,
                                           std::vector<std::unique_ptr<GradientReducer>> reducers)
    : m_images(images),
      m_options(options),
      m_servers(reducers.size())
{
    for (std::size_t i = 0; i < m_servers.size(); ++i)
    {
        const auto random = CreateObject<NormalRandomVariable>();
        random->SetStream(1);
        m_servers[i].classifier = std::make_unique<SmallClassifier>(random);
        m_servers[i].reducer = std::move(reducers[i]);
        m_servers[i].reducer->SetDoneCallback(Callback<void>([this, i]() { EndAverage(i); }));
    }
    Shuffle();
}

void
DataParallelTraining::Shuffle()
{
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(2);
    std::vector<uint32_t> epoch(m_images.size() - m_options.testImages);
    std::iota(epoch.begin(), epoch.end(), 0);
    for (uint32_t i = 0; i < m_options.epochs; ++i)
    {
        for (std::size_t left = epoch.size(); left > 1; --left)
        {
            const auto other = random->GetInteger(0, static_cast<uint32_t>(left - 1));
            std::swap(epoch[left - 1], epoch[other]);
        }
        // Whole batches
        const std::size_t used = epoch.size() / m_options.batch * m_options.batch;
        m_order.insert(m_order.end(),
                       epoch.begin(),
                       epoch.begin() + static_cast<std::ptrdiff_t>(used));
    }
}

uint32_t
DataParallelTraining::GetNSteps() const
{
    return static_cast<uint32_t>(m_order.size() / m_options.batch);
}

void
DataParallelTraining::Start()
{
    for (std::size_t i = 0; i < m_servers.size(); ++i)
    {
        Simulator::Schedule(m_options.computeTime, &DataParallelTraining::EndCompute, this, i);
    }
}

void
DataParallelTraining::EndCompute(std::size_t server)
{
    Server& own = m_servers[server];
    const std::size_t share = m_options.batch / m_servers.size();
    const auto first =
        m_order.begin() + static_cast<std::ptrdiff_t>(own.step * m_options.batch + server * share);
    own.classifier->GetGradient(m_images,
                                {first, first + static_cast<std::ptrdiff_t>(share)},
                                own.gradient);
    own.reducer->Average(own.gradient);
}

void
DataParallelTraining::EndAverage(std::size_t server)
{
    Server& own = m_servers[server];
    own.classifier->Learn(own.gradient, m_options.rate, m_options.momentum);
    if (++own.step < GetNSteps())
    {
        Simulator::Schedule(m_options.computeTime, &DataParallelTraining::EndCompute, this, server);
        return;
    }
    if (++m_ended == m_servers.size())
    {
        m_end = Simulator::Now();
    }
}

Time
DataParallelTraining::GetEnd() const
{
    return m_end;
}

SmallClassifier::Score
DataParallelTraining::GetTestScore() const
{
    return m_servers.front().classifier->GetScore(m_images,
                                                  m_images.size() - m_options.testImages,
                                                  m_images.size());
}

SmallClassifier::Score
DataParallelTraining::GetTrainingScore() const
{
    return m_servers.front().classifier->GetScore(m_images,
                                                  0,
                                                  m_images.size() - m_options.testImages);
}

bool
DataParallelTraining::AreEqual() const
{
    return std::all_of(m_servers.begin(), m_servers.end(), [this](const Server& server) {
        return server.classifier->GetParameters() == m_servers.front().classifier->GetParameters();
    });
}

uint64_t
DataParallelTraining::GetSentBytes() const
{
    return m_servers.front().reducer->GetSentBytes();
}
