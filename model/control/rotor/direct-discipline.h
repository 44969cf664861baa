/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DIRECT_DISCIPLINE_H
#define DIRECT_DISCIPLINE_H

#include "rotor-discipline.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Nothing goes through other ports: all wait until they meet.
 */
class DirectDiscipline : public RotorDiscipline
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Decide(uint32_t slot,
                const std::vector<Contact>& contacts,
                uint64_t capacity,
                const RotorQueues& queues,
                std::vector<Grant>& grants) override;
};

} // namespace lightpath
} // namespace ns3

#endif /* DIRECT_DISCIPLINE_H */
