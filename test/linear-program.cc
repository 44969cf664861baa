/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linear-program.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <unistd.h>

bool
LinearProgram::HasSolver()
{
    static const bool found = [] {
        const bool works = std::system("glpsol --version >/dev/null 2>&1") == 0;
        if (!works)
        {
            std::cerr << "Comparisons with GLPK are skipped: glpsol is not installed" << std::endl;
        }
        return works;
    }();
    return found;
}

uint32_t
LinearProgram::AddVariable(double profit, double upper, bool integer)
{
    m_variables.push_back({profit, upper, integer});
    return m_variables.size() - 1;
}

void
LinearProgram::AddAtMost(const Terms& terms, double limit)
{
    m_rows.push_back({terms, "<=", limit});
}

void
LinearProgram::AddEqual(const Terms& terms, double value)
{
    m_rows.push_back({terms, "=", value});
}

void
LinearProgram::Write(const std::string& path) const
{
    std::ofstream file(path);
    file.precision(17);
    const auto write = [&file](const Terms& terms) {
        for (const auto& [variable, factor] : terms)
        {
            file << (factor < 0 ? " - " : " + ") << std::abs(factor) << " x" << variable << "\n";
        }
    };
    Terms profits;
    for (uint32_t i = 0; i < m_variables.size(); ++i)
    {
        profits.emplace_back(i, m_variables[i].profit);
    }
    file << "Maximize\n obj:";
    write(profits);
    file << "Subject To\n";
    for (const Row& row : m_rows)
    {
        if (!row.terms.empty())
        {
            write(row.terms);
            file << " " << row.sign << " " << row.limit << "\n";
        }
    }
    file << "Bounds\n";
    for (uint32_t i = 0; i < m_variables.size(); ++i)
    {
        if (std::isfinite(m_variables[i].upper))
        {
            file << " 0 <= x" << i << " <= " << m_variables[i].upper << "\n";
        }
    }
    file << "General\n";
    for (uint32_t i = 0; i < m_variables.size(); ++i)
    {
        if (m_variables[i].integer)
        {
            file << " x" << i << "\n";
        }
    }
    file << "End\n";
}

double
LinearProgram::Read(const std::string& path)
{
    std::ifstream file(path);
    std::string line;
    bool isInteger = false;
    double objective = std::numeric_limits<double>::quiet_NaN();
    m_values.assign(m_variables.size(), 0);
    while (std::getline(file, line))
    {
        std::istringstream words(line);
        std::string key;
        words >> key;
        if (key == "s")
        {
            std::string kind;
            std::string status;
            std::string dual;
            std::string rows;
            std::string columns;
            words >> kind >> rows >> columns >> status;
            isInteger = kind == "mip";
            const bool optimal = isInteger ? status == "o" : (words >> dual && status == "f");
            double value = 0;
            if (optimal && (isInteger || dual == "f") && words >> value)
            {
                objective = value;
            }
        }
        else if (key == "j")
        {
            uint32_t column = 0;
            std::string status;
            words >> column;
            if (!isInteger)
            {
                words >> status;
            }
            words >> m_values.at(column - 1);
        }
    }
    return objective;
}

double
LinearProgram::Maximise()
{
    char directory[] = "/tmp/lightpath-XXXXXX";
    if (!mkdtemp(directory))
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const std::string problem = std::string(directory) + "/problem.lp";
    const std::string solution = std::string(directory) + "/solution";
    Write(problem);
    const std::string command = "glpsol --cpxlp " + problem + " --write " + solution +
                                " --tmlim 60 >/dev/null 2>&1 </dev/null";
    const bool solved = std::system(command.c_str()) == 0;
    const double objective = solved ? Read(solution) : std::numeric_limits<double>::quiet_NaN();
    unlink(problem.c_str());
    unlink(solution.c_str());
    rmdir(directory);
    return objective;
}

double
LinearProgram::GetValue(uint32_t variable) const
{
    return m_values.at(variable);
}
