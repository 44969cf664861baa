/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_DIGIT_IMAGES_H
#define LIGHTPATH_DIGIT_IMAGES_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// An image of a digit.
struct DigitImage
{
    std::array<float, 64> pixels{}; //!< Ink from 0 to 1, row by row
    uint32_t digit{0};              //!< The digit that it shows
};

/**
 * Read images in the notation of data/optical-digits.txt. A file that cannot be read and a line
 * that is no image are refused by std::invalid_argument.
 *
 * @param path the name of the file
 * @return the images
 */
std::vector<DigitImage> ReadDigitImages(const std::string& path);

#endif /* LIGHTPATH_DIGIT_IMAGES_H */
