/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXPANDER_DISCIPLINE_H
#define EXPANDER_DISCIPLINE_H

#include "balanced-discipline.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The discipline of Opera (Mellette et al., NSDI 2020): short messages go at once, over the
 * several hops of the present circuits; all others are balanced as in RotorNet.
 */
class ExpanderDiscipline : public BalancedDiscipline
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint64_t GetShortMessage() const override
    {
        return m_shortMessage;
    }

  private:
    uint64_t m_shortMessage; //!< Bytes of the smallest message that is not short
};

} // namespace lightpath
} // namespace ns3

#endif /* EXPANDER_DISCIPLINE_H */
