/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/photonics/mzi-mesh.h"
#include "photonics-tests.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <functional>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param a a matrix
 * @param b a matrix of the same size
 * @return the largest distance of their entries
 */
double
GetDistance(const ComplexMatrix& a, const ComplexMatrix& b)
{
    double distance = 0;
    for (std::size_t i = 0; i < a.GetValues().size(); ++i)
    {
        distance = std::max(distance, std::abs(a.GetValues()[i] - b.GetValues()[i]));
    }
    return distance;
}

/**
 * @param a a matrix
 * @param b a matrix of the same size
 * @return the sum of the squares of the distances of their entries
 */
double
GetPower(const ComplexMatrix& a, const ComplexMatrix& b)
{
    double power = 0;
    for (std::size_t i = 0; i < a.GetValues().size(); ++i)
    {
        power += std::norm(a.GetValues()[i] - b.GetValues()[i]);
    }
    return power;
}

/**
 * @ingroup lightpath-tests
 * @brief The test cases of meshes.
 */
class MeshTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Writes matrices as meshes, and composes them again.
    void TestMesh();

    /**
     * Compares meshes with imperfections to closed forms.
     *
     * Light of unit power at each input has unit power at each component of a mesh. A phase shifter
     * that is off by d changes the matrix by d^2, as the sum of the squares of all entries, and a
     * coupler, which acts on two modes, by 2 d^2; errors of different components add up, as long as
     * they are small. There are n^2 shifters and n (n - 1) couplers.
     */
    void TestImperfectMesh();

  private:
    /// Compares an interferometer to the product of its four components.
    void TryElement();

    /**
     * Compares the mean change of realisations of a mesh to what is expected.
     *
     * @param mesh the mesh
     * @param imperfections its imperfections
     * @param expected the expected sum of squares
     */
    void TryMean(const MziMesh& mesh, const Ptr<MeshImperfections>& imperfections, double expected);

    /// Follows light of single modes through a mesh that loses it.
    void TryLoss();
};

void
MeshTests::TestMesh()
{
    std::mt19937 random(1);
    for (const uint32_t size : {1, 2, 3, 4, 5, 8, 13, 32, 256})
    {
        for (const bool isReal : {false, true})
        {
            const ComplexMatrix unitary = MakeRandomUnitary(size, isReal, random);
            for (const auto arrangement : {MziMesh::CLEMENTS, MziMesh::RECK})
            {
                const MziMesh mesh(unitary, arrangement);
                NS_TEST_EXPECT_MSG_LT(GetDistance(mesh.Compose(), unitary), 1e-10, size);
                NS_TEST_EXPECT_MSG_EQ(mesh.GetNElements(), size * (size - 1) / 2, size);
                const uint32_t depth = arrangement == MziMesh::CLEMENTS ? size : 2 * size - 3;
                NS_TEST_EXPECT_MSG_EQ(mesh.GetNColumns(), (size > 2 ? depth : size - 1), size);
            }
        }
    }
    // Unitary matrices that are not random: the identity, and a permutation of modes
    ComplexMatrix shift(6, 6);
    for (std::size_t i = 0; i < 6; ++i)
    {
        shift(i, (i + 1) % 6) = 1;
    }
    for (const ComplexMatrix& matrix : {shift, ComplexMatrix::MakeIdentity(6)})
    {
        for (const auto arrangement : {MziMesh::CLEMENTS, MziMesh::RECK})
        {
            NS_TEST_EXPECT_MSG_LT(GetDistance(MziMesh(matrix, arrangement).Compose(), matrix),
                                  1e-12,
                                  "Permutation");
        }
    }
    ComplexMatrix other = shift;
    other(0, 1) = 0.999;
    for (const ComplexMatrix& matrix : {other, ComplexMatrix(2, 3), ComplexMatrix()})
    {
        const auto decompose = [&matrix] { MziMesh(matrix, MziMesh::CLEMENTS); };
        EXPECT_PART(GetError(decompose), "unitary");
    }
    TryElement();
}

void
MeshTests::TryElement()
{
    using Matrix = std::array<std::complex<double>, 4>;
    const auto multiply = [](const Matrix& a, const Matrix& b) {
        return Matrix{a[0] * b[0] + a[1] * b[2],
                      a[0] * b[1] + a[1] * b[3],
                      a[2] * b[0] + a[3] * b[2],
                      a[2] * b[1] + a[3] * b[3]};
    };
    const auto shift = [](double phase) { return Matrix{std::polar(1.0, phase), 0, 0, 1}; };
    const auto couple = [](double angle) {
        const std::complex<double> across(0, std::sin(angle));
        return Matrix{std::cos(angle), across, across, std::cos(angle)};
    };
    const MziElement element{0, 0.3, 1.1, 0.7, 0.9};
    const Matrix expected =
        multiply(couple(0.9), multiply(shift(0.3), multiply(couple(0.7), shift(1.1))));
    const Matrix matrix = element.GetMatrix();
    for (std::size_t i = 0; i < 4; ++i)
    {
        NS_TEST_EXPECT_MSG_LT(std::abs(matrix[i] - expected[i]), 1e-15, "Entry " << i);
    }
    for (const double factor : {-1.0, -0.4, 0.0, 0.6, 1.0})
    {
        const std::complex<double> passed = MziElement::MakeAttenuator(factor).GetMatrix().front();
        NS_TEST_EXPECT_MSG_LT(std::abs(passed - factor), 1e-15, factor);
    }
}

void
MeshTests::TestImperfectMesh()
{
    constexpr double size = 12;
    constexpr double sigma = 1e-4;
    std::mt19937 random(2);
    const ComplexMatrix unitary = MakeRandomUnitary(12, false, random);
    for (const auto arrangement : {MziMesh::CLEMENTS, MziMesh::RECK})
    {
        const MziMesh mesh(unitary, arrangement);
        auto phases = CreateObject<MeshImperfections>();
        phases->SetAttribute("PhaseNoiseRad", DoubleValue(sigma));
        TryMean(mesh, phases, sigma * sigma * size * size);
        auto couplers = CreateObject<MeshImperfections>();
        couplers->SetAttribute("CouplerErrorRad", DoubleValue(sigma));
        TryMean(mesh, couplers, 2 * sigma * sigma * size * (size - 1));
        // Light is neither lost nor made, however large the errors are
        phases->SetAttribute("PhaseNoiseRad", DoubleValue(0.5));
        phases->SetAttribute("CouplerErrorRad", DoubleValue(0.5));
        const ComplexMatrix real = mesh.Realise(*phases).Compose();
        NS_TEST_EXPECT_MSG_EQ_TOL(GetPower(real, ComplexMatrix(12, 12)), size, 1e-12, "Power");
        const MziMesh again(real, arrangement);
        NS_TEST_EXPECT_MSG_LT(GetDistance(again.Compose(), real), 1e-12, "Unitary");
    }
    // The error of a phase that is set by few bits lies evenly between half a unit either way;
    // one matrix after the other stands for chance here
    constexpr int draws = 200;
    double sum = 0;
    auto coarse = CreateObject<MeshImperfections>();
    coarse->SetAttribute("PhaseBits", UintegerValue(12));
    for (int draw = 0; draw < draws; ++draw)
    {
        const ComplexMatrix matrix = MakeRandomUnitary(12, false, random);
        const MziMesh mesh(matrix, MziMesh::CLEMENTS);
        sum += GetPower(mesh.Realise(*coarse).Compose(), matrix);
    }
    const double unit = 2 * M_PI / 4096;
    const double expected = size * size * unit * unit / 12;
    NS_TEST_EXPECT_MSG_EQ_TOL(sum / draws, expected, 0.05 * expected, "Bits");
    TryLoss();
}

void
MeshTests::TryMean(const MziMesh& mesh,
                   const Ptr<MeshImperfections>& imperfections,
                   double expected)
{
    constexpr int draws = 400;
    const ComplexMatrix ideal = mesh.Compose();
    imperfections->AssignStreams(1);
    double sum = 0;
    double squares = 0;
    for (int draw = 0; draw < draws; ++draw)
    {
        const double power = GetPower(mesh.Realise(*imperfections).Compose(), ideal);
        sum += power;
        squares += power * power;
    }
    const double mean = sum / draws;
    const double error = std::sqrt((squares / draws - mean * mean) / draws);
    NS_TEST_EXPECT_MSG_EQ_TOL(mean, expected, 3 * error, "Mean change");
    NS_TEST_EXPECT_MSG_LT(error, expected / 20, "Enough draws");
}

void
MeshTests::TryLoss()
{
    // Nothing is mixed: light of a mode stays in it. Of the four columns, modes 0 and 3 have an
    // interferometer in two, and of the five of a triangle modes 0 to 3 in 1 or 3, 3 or more
    auto imperfections = CreateObject<MeshImperfections>();
    imperfections->SetAttribute("MziLossDb", DoubleValue(2));
    const MziMesh mesh(ComplexMatrix::MakeIdentity(4), MziMesh::CLEMENTS);
    NS_TEST_EXPECT_MSG_LT(
        GetDistance(mesh.Realise(*imperfections).Compose(), ComplexMatrix::MakeIdentity(4)),
        1e-12,
        "Balanced");
    imperfections->SetAttribute("BalancedLoss", BooleanValue(false));
    const ComplexMatrix real = mesh.Realise(*imperfections).Compose();
    for (std::size_t mode = 0; mode < 4; ++mode)
    {
        const double decibels = mode == 0 || mode == 3 ? 2 * 2 : 0;
        NS_TEST_EXPECT_MSG_EQ_TOL(20 * std::log10(std::abs(real(mode, mode))),
                                  decibels,
                                  1e-9,
                                  "Mode " << mode);
    }
}

} // namespace

/// Registers the test cases
static const SuiteCases g_meshCases(
    "lightpath-photonics",
    {{MakeCase("A mesh makes the matrix that it was computed for", &MeshTests::TestMesh),
      MakeCase("Imperfections change a mesh as closed forms say", &MeshTests::TestImperfectMesh)}});
