/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "torus-geometry.h"

#include "ns3/assert.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most ports along an axis.
constexpr uint32_t MOST_TORUS_PORTS = 1024;

} // namespace

TorusGeometry::Triple
TorusGeometry::ParseShape(const std::string& text)
{
    Triple shape{};
    std::size_t begin = 0;
    for (uint32_t axis = 0; axis < AXES; ++axis)
    {
        const std::size_t end = axis + 1 < AXES ? text.find('x', begin) : text.size();
        const std::string number = end == std::string::npos ? "" : text.substr(begin, end - begin);
        constexpr std::size_t digits = 4;
        const bool isNumber =
            !number.empty() && number.size() <= digits &&
            std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!isNumber)
        {
            throw std::invalid_argument("'" + text +
                                        "' is not the shape of a torus: give three sizes, "
                                        "like 4x4x8");
        }
        shape[axis] = static_cast<uint32_t>(std::stoul(number));
        begin = end + 1;
    }
    return shape;
}

std::string
TorusGeometry::GetText(const Triple& shape)
{
    return std::to_string(shape[0]) + "x" + std::to_string(shape[1]) + "x" +
           std::to_string(shape[2]);
}

TorusGeometry::Triple
TorusGeometry::GetDefaultShape(uint32_t nPorts)
{
    // The largest axis is the least that is possible, and then the next one
    Triple best{};
    for (uint32_t a = 1; uint64_t{a} * a * a <= nPorts; ++a)
    {
        for (uint32_t b = a; nPorts % a == 0 && uint64_t{b} * b <= nPorts / a; ++b)
        {
            const Triple shape{a, b, nPorts / a / b};
            const bool isBetter =
                best[2] == 0 || shape[2] < best[2] || (shape[2] == best[2] && b < best[1]);
            if (nPorts / a % b == 0 && isBetter && Check(shape, false).empty())
            {
                best = shape;
            }
        }
    }
    return best;
}

std::string
TorusGeometry::Check(const Triple& shape, bool isTwisted)
{
    const auto isOf = [&shape](const std::function<bool(uint32_t)>& test) {
        return std::all_of(shape.begin(), shape.end(), test);
    };
    const bool hasCubes = isOf(
        [](uint32_t size) { return size > 0 && size % CUBE == 0 && size <= MOST_TORUS_PORTS; });
    const bool isPart = isOf([](uint32_t size) { return size > 0 && size <= CUBE; });
    if (!hasCubes && !isPart)
    {
        return "There is no torus of " + GetText(shape) +
               ": its sizes must be multiples of 4, up to " + std::to_string(MOST_TORUS_PORTS) +
               ", as it has whole cubes of 4x4x4, or at most 4 each, in one cube";
    }
    const uint32_t least = *std::min_element(shape.begin(), shape.end());
    const uint32_t most = *std::max_element(shape.begin(), shape.end());
    const bool canTwist = hasCubes && most == 2 * least && isOf([least, most](uint32_t size) {
                              return size == least || size == most;
                          });
    if (isTwisted && !canTwist)
    {
        return "A torus of " + GetText(shape) +
               " cannot be twisted: that takes n x n x 2n or n x 2n x 2n, like 4x4x8 or 4x8x8";
    }
    return "";
}

TorusGeometry::TorusGeometry(const Triple& shape, bool isTwisted)
    : m_shape(shape),
      m_isTwisted(isTwisted)
{
    NS_ASSERT_MSG(Check(shape, isTwisted).empty(), Check(shape, isTwisted));
}

uint32_t
TorusGeometry::GetNPorts() const
{
    return m_shape[0] * m_shape[1] * m_shape[2];
}

bool
TorusGeometry::HasCubes() const
{
    return m_shape[0] % CUBE == 0 && m_shape[1] % CUBE == 0 && m_shape[2] % CUBE == 0;
}

uint32_t
TorusGeometry::GetNCubes() const
{
    return HasCubes() ? GetNPorts() / (CUBE * FACE) : 0;
}

TorusGeometry::Triple
TorusGeometry::GetPlace(uint32_t port) const
{
    return {port % m_shape[0], port / m_shape[0] % m_shape[1], port / m_shape[0] / m_shape[1]};
}

uint32_t
TorusGeometry::GetPort(const Triple& place) const
{
    return place[0] + m_shape[0] * (place[1] + m_shape[1] * place[2]);
}

uint32_t
TorusGeometry::GetNext(uint32_t port, uint32_t axis) const
{
    Triple place = GetPlace(port);
    if (++place[axis] < m_shape[axis])
    {
        return GetPort(place);
    }
    if (!HasCubes())
    {
        return NONE;
    }
    place[axis] = 0;
    for (uint32_t other = 0; m_isTwisted && other < AXES; ++other)
    {
        if (m_shape[other] == 2 * m_shape[axis])
        {
            place[other] = (place[other] + m_shape[axis]) % m_shape[other];
        }
    }
    return GetPort(place);
}

uint32_t
TorusGeometry::GetSwitch(uint32_t port, uint32_t axis) const
{
    const Triple place = GetPlace(port);
    if (!HasCubes() || place[axis] % CUBE != CUBE - 1)
    {
        return NONE;
    }
    // The position on the face, by the other two axes
    const uint32_t first = axis == 0 ? 1 : 0;
    const uint32_t second = AXES - axis - first;
    return FACE * axis + place[first] % CUBE + CUBE * (place[second] % CUBE);
}

uint32_t
TorusGeometry::GetCube(uint32_t port) const
{
    const Triple place = GetPlace(port);
    const auto cubes = [this](uint32_t axis) { return m_shape[axis] / CUBE; };
    return place[0] / CUBE + cubes(0) * (place[1] / CUBE + cubes(1) * (place[2] / CUBE));
}

std::vector<uint32_t>
TorusGeometry::GetCircuits(uint32_t number) const
{
    std::vector<uint32_t> circuits(GetNCubes());
    for (uint32_t port = 0; port < GetNPorts(); ++port)
    {
        if (GetSwitch(port, number / FACE) == number)
        {
            circuits[GetCube(port)] = GetCube(GetNext(port, number / FACE));
        }
    }
    return circuits;
}

} // namespace lightpath
} // namespace ns3
