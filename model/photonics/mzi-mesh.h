/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MZI_MESH_H
#define MZI_MESH_H

#include "dense-matrix.h"
#include "mzi-element.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A mesh of Mach-Zehnder interferometers between neighbouring modes, and a phase shifter at
 * each output, that makes a unitary matrix.
 *
 * Both arrangements need n (n - 1) / 2 interferometers for n modes: the triangle of Reck,
 * Zeilinger, Bernstein and Bertani (Experimental realization of any discrete unitary operator,
 * Phys. Rev. Lett. 73, 1994) stands in 2 n - 3 columns, the rectangle of Clements, Humphreys,
 * Metcalf, Kolthammer and Walmsley (Optimal design for universal multiport interferometers, Optica
 * 3, 2016) in n.
 */
class MziMesh
{
  public:
    /// Where the interferometers stand.
    enum Arrangement
    {
        CLEMENTS, //!< In a rectangle
        RECK      //!< In a triangle
    };

    /**
     * @brief Find the phases. Refuses a matrix that is not unitary by std::invalid_argument.
     *
     * @param unitary the matrix from the amplitudes of the inputs to those of the outputs
     * @param arrangement where the interferometers stand
     */
    MziMesh(const ComplexMatrix& unitary, Arrangement arrangement);

    /**
     * @brief Find the phases. Refuses a matrix that is not orthogonal by std::invalid_argument.
     *
     * @param orthogonal the matrix from the amplitudes of the inputs to those of the outputs
     * @param arrangement where the interferometers stand
     */
    MziMesh(const RealMatrix& orthogonal, Arrangement arrangement);

    /**
     * @param imperfections the deviations of real interferometers
     * @return a mesh of the same phases with deviations drawn from them
     */
    MziMesh Realise(const MeshImperfections& imperfections) const;

    /**
     * @brief Send light through the mesh.
     *
     * @param fields the amplitudes of the inputs, a row for each mode and a column for each case,
     *               which become those of the outputs
     */
    void Propagate(ComplexMatrix& fields) const;

    /**
     * @return the matrix from the amplitudes of the inputs to those of the outputs
     */
    ComplexMatrix Compose() const;

    /**
     * @return the number of modes
     */
    uint32_t GetNModes() const;

    /**
     * @return the number of interferometers
     */
    uint32_t GetNElements() const;

    /**
     * @return the number of columns of interferometers
     */
    uint32_t GetNColumns() const;

    /**
     * @return the interferometers, in the order in which light meets them
     */
    const std::vector<MziElement>& GetElements() const;

  private:
    /// A rotation of two modes, not yet expressed as an interferometer.
    struct Rotation
    {
        uint32_t mode; //!< The upper one of the two modes
        double angle;  //!< Angle by which the modes mix
        double phase;  //!< The phase of the upper input
    };

    /**
     * @brief Null an entry by rotating its column and the next one.
     *
     * @param matrix the matrix, which is changed
     * @param row the row of the entry
     * @param column the column of the entry
     * @return the rotation
     */
    static Rotation NullFromRight(ComplexMatrix& matrix, std::size_t row, std::size_t column);

    /**
     * @brief Null an entry by rotating its row and the row above.
     *
     * @param matrix the matrix, which is changed
     * @param row the row of the entry
     * @param column the column of the entry
     * @return the rotation
     */
    static Rotation NullFromLeft(ComplexMatrix& matrix, std::size_t row, std::size_t column);

    /**
     * @brief Write a matrix as rotations, in the order in which light meets them, and phases of the
     * outputs, which the mesh stores.
     *
     * @param matrix the matrix
     * @param arrangement where the rotations stand
     * @return the rotations
     */
    std::vector<Rotation> FindRotations(ComplexMatrix matrix, Arrangement arrangement);

    /**
     * @brief Find the interferometers that make rotations.
     *
     * @param rotations the rotations, in the order in which light meets them
     */
    void MakeElements(const std::vector<Rotation>& rotations);

    /**
     * @brief Find the phases of all interferometers and outputs.
     *
     * @param unitary the matrix from the amplitudes of the inputs to those of the outputs
     * @param arrangement where the interferometers stand
     */
    void Decompose(const ComplexMatrix& unitary, Arrangement arrangement);

    std::vector<MziElement> m_elements; //!< In the order in which light meets them
    std::vector<double> m_outputPhases; //!< The phases of the outputs, in radians
    uint32_t m_columns{0};              //!< The columns that the elements stand in
    double m_relativeAmplitude{1}; //!< Amplitude after an element, relative to a column without one
};

} // namespace lightpath
} // namespace ns3

#endif /* MZI_MESH_H */
