/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_METHOD_CASE_H
#define LIGHTPATH_METHOD_CASE_H

#include "ns3/test.h"

#include <functional>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief A test case that calls one member function of a class of test cases.
 *
 * A class derived from TestCase holds the test cases on one subject as member functions and their
 * helper functions as private members. Each case is an object of its own, made by MakeCase().
 *
 * @tparam T the class of test cases
 */
template <class T>
class MethodCase : public T
{
  public:
    /**
     * @param name the name of the case
     * @param run the call
     */
    MethodCase(const std::string& name, std::function<void(T&)> run)
        : T(name),
          m_run(std::move(run))
    {
    }

  private:
    /// Call the member function.
    void DoRun() override
    {
        m_run(*this);
    }

    std::function<void(T&)> m_run; //!< The call
};

/**
 * @ingroup lightpath-tests
 * @brief Make a test case that calls a member function.
 *
 * @tparam T a class of test cases
 * @tparam Parameters the parameters of the member function
 * @tparam Arguments the types of the arguments
 * @param name the name of the case; the arguments are added to it
 * @param method the member function
 * @param arguments the arguments of the call
 * @return the test case
 */
template <class T, class... Parameters, class... Arguments>
ns3::TestCase*
MakeCase(const std::string& name, void (T::*method)(Parameters...), const Arguments&... arguments)
{
    std::ostringstream text;
    text << name;
    ((text << ", " << arguments), ...);
    return new MethodCase<T>(text.str(), std::bind(method, std::placeholders::_1, arguments...));
}

/**
 * @ingroup lightpath-tests
 * @brief A suite of test cases that functions have made.
 */
class CaseSuite : public ns3::TestSuite
{
  public:
    /**
     * @param name the name of the suite
     * @param lists the test cases
     * @param type the type of the suite
     */
    CaseSuite(const std::string& name,
              std::initializer_list<std::vector<ns3::TestCase*>> lists,
              Type type = Type::UNIT)
        : TestSuite(name, type)
    {
        for (const auto& cases : lists)
        {
            for (auto* each : cases)
            {
                AddTestCase(each);
            }
        }
    }
};

#endif /* LIGHTPATH_METHOD_CASE_H */
