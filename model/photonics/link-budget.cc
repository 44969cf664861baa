/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-budget.h"

#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace ns3
{
namespace lightpath
{

LinkBudget::LinkBudget(const OpticalSignal& source)
    : m_sourcePower(source.power),
      m_signal(source)
{
}

void
LinkBudget::Add(const OpticalElement& element, uint32_t count)
{
    const double before = m_signal.power;
    for (uint32_t i = 0; i < count; ++i)
    {
        element.Pass(m_signal);
    }
    m_rows.push_back({element.GetName(),
                      count,
                      RatioToDb(before / m_signal.power),
                      WattToDbm(m_signal.power),
                      m_signal.GetOsnr()});
}

void
LinkBudget::Add(const OpticalPath& path)
{
    for (const auto& [element, count] : path)
    {
        Add(*element, count);
    }
}

const OpticalSignal&
LinkBudget::GetSignal() const
{
    return m_signal;
}

const std::vector<LinkBudget::Row>&
LinkBudget::GetRows() const
{
    return m_rows;
}

double
LinkBudget::GetLoss() const
{
    return RatioToDb(m_sourcePower / m_signal.power);
}

void
LinkBudget::Print(std::ostream& os) const
{
    std::ostringstream table;
    table << std::fixed << std::setprecision(2);
    // Without noise there is no ratio; light below the smallest number is none
    const auto print = [&](const std::string& name, const auto& loss, double power, double osnr) {
        table << std::left << std::setw(30) << name << std::right << std::setw(9) << loss
              << std::setw(11);
        std::isfinite(power) ? table << power : table << "dark";
        table << std::setw(9);
        std::isfinite(osnr) ? table << osnr : table << "-";
        table << '\n';
    };
    table << std::left << std::setw(30) << "element" << std::right << std::setw(9) << "loss dB"
          << std::setw(11) << "power dBm" << std::setw(9) << "OSNR dB" << '\n';
    const double first = m_rows.empty() ? m_signal.GetOsnr() : INFINITY;
    print("source", "", WattToDbm(m_sourcePower), first);
    for (const auto& row : m_rows)
    {
        const std::string count = row.count > 1 ? std::to_string(row.count) + " x " : "";
        std::ostringstream loss;
        loss << std::fixed << std::setprecision(2) << row.loss;
        print(count + row.element, std::isfinite(row.loss) ? loss.str() : "-", row.power, row.osnr);
    }
    os << table.str();
}

} // namespace lightpath
} // namespace ns3
