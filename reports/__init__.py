"""Reports: result records and positions rendered as HTML, SVG, Markdown and files for other tools."""
