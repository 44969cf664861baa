/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPORT_PAGE_DATA_H
#define REPORT_PAGE_DATA_H

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @return the text of data/report/page.html with page.css in it, which the build makes part of the
 *         library
 */
const char* GetReportPageHead();

/**
 * @ingroup lightpath
 * @return the text of data/report/page.js
 */
const char* GetReportPageScript();

} // namespace lightpath
} // namespace ns3

#endif /* REPORT_PAGE_DATA_H */
