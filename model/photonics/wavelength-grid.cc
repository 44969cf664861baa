/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wavelength-grid.h"

#include "ns3/double.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(WavelengthGrid);

TypeId
WavelengthGrid::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::WavelengthGrid")
                            .SetParent<Object>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<WavelengthGrid>()
                            .AddAttribute("FirstFrequency",
                                          "Frequency of the first wavelength in Hz.",
                                          DoubleValue(193.1e12),
                                          MakeDoubleAccessor(&WavelengthGrid::m_first),
                                          MakeDoubleChecker<double>(1e12, 1e16))
                            .AddAttribute("Spacing",
                                          "Distance of wavelengths in Hz.",
                                          DoubleValue(200e9),
                                          MakeDoubleAccessor(&WavelengthGrid::m_spacing),
                                          MakeDoubleChecker<double>(1e9, 1e13));
    return tid;
}

double
WavelengthGrid::GetFrequency(uint32_t index) const
{
    return m_first + index * m_spacing;
}

double
WavelengthGrid::GetSpacing() const
{
    return m_spacing;
}

} // namespace lightpath
} // namespace ns3
