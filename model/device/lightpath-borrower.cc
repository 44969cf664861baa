/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lightpath-borrower.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @return all borrowers
 */
std::vector<LightpathBorrower*>&
GetBorrowers()
{
    static std::vector<LightpathBorrower*> borrowers;
    return borrowers;
}

} // namespace

LightpathBorrower::LightpathBorrower()
{
    GetBorrowers().push_back(this);
}

LightpathBorrower::~LightpathBorrower()
{
    Leave();
}

void
LightpathBorrower::Leave()
{
    auto& borrowers = GetBorrowers();
    const auto own = std::find(borrowers.begin(), borrowers.end(), this);
    if (own != borrowers.end())
    {
        borrowers.erase(own);
    }
}

void
LightpathBorrower::RecallAll()
{
    const auto borrowers = GetBorrowers();
    for (LightpathBorrower* const borrower : borrowers)
    {
        borrower->GiveBack();
    }
}

void
LightpathBorrower::ReportAll()
{
    for (LightpathBorrower* const borrower : GetBorrowers())
    {
        borrower->Report();
    }
}

} // namespace lightpath
} // namespace ns3
