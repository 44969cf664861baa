/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SVG_DOCUMENT_H
#define SVG_DOCUMENT_H

#include <ostream>
#include <sstream>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A drawing of rectangles, lines and texts in Scalable Vector Graphics.
 *
 * Lengths are in pixels, from the left upper corner. Colours are as in SVG, like "#1f77b4", or
 * HATCH.
 */
class SvgDocument
{
  public:
    /// A fill by which what is out of use is hatched.
    static constexpr const char* HATCH = "url(#hatch)";

    /// Where a text stands, relative to its point.
    enum Anchor
    {
        START,  //!< It begins there
        MIDDLE, //!< Its middle is there
        END,    //!< It ends there
    };

    /**
     * @param title the title of the drawing, for those who cannot see it
     */
    explicit SvgDocument(const std::string& title);

    /**
     * Draw a rectangle.
     *
     * @param x the left edge
     * @param y the upper edge
     * @param width the width
     * @param height the height
     * @param fill the colour of its area
     * @param stroke the colour of its edges; none if empty
     * @param tip what is shown when it is pointed at; none if empty
     */
    void AddRectangle(double x,
                      double y,
                      double width,
                      double height,
                      const std::string& fill,
                      const std::string& stroke = "",
                      const std::string& tip = "");

    /**
     * Draw a thin line.
     *
     * @param x1 the horizontal place of one end
     * @param y1 the vertical place of one end
     * @param x2 the horizontal place of the other end
     * @param y2 the vertical place of the other end
     * @param stroke its colour
     */
    void AddLine(double x1, double y1, double x2, double y2, const std::string& stroke);

    /**
     * Write a text in one line.
     *
     * @param x the horizontal place that the anchor refers to
     * @param y the vertical place of its base line
     * @param size the size of its font
     * @param anchor where it stands
     * @param text the text
     */
    void AddText(double x, double y, double size, Anchor anchor, const std::string& text);

    /**
     * Write a text in one line upwards.
     *
     * @param x the horizontal place of its base line
     * @param y the vertical place of its middle
     * @param size the size of its font
     * @param text the text
     */
    void AddUpwardText(double x, double y, double size, const std::string& text);

    /**
     * @param text a text
     * @param size the size of its font
     * @return about the width that it takes
     */
    static double GetTextWidth(const std::string& text, double size);

    /**
     * @param index the index of a thing
     * @return the colour that it always has; neighbouring indices differ well
     */
    static std::string GetColour(uint32_t index);

    /**
     * @param os where to write the drawing, with all that was added, on a white background
     */
    void Print(std::ostream& os) const;

  private:
    /**
     * @param text a text
     * @return the text as XML has it; what XML cannot have is left out
     */
    static std::string Escape(const std::string& text);

    /**
     * Have a point be within the drawing.
     *
     * @param x its horizontal place
     * @param y its vertical place
     */
    void Include(double x, double y);

    std::string m_title;       //!< The title
    std::ostringstream m_body; //!< The elements
    double m_width{0};         //!< Right edge of the elements
    double m_height{0};        //!< Lower edge of the elements
};

} // namespace lightpath
} // namespace ns3

#endif /* SVG_DOCUMENT_H */
