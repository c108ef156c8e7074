"""Sphinx's configuration of the site. Called by build_site.sh."""

import importlib.util
import os
import re
import sys

from docutils import nodes
from docutils.utils.math import latex2mathml

ROOT = os.environ["GLASSWORKS_SOURCE"]
sys.path.insert(0, os.path.join(ROOT, "tools", "python", "src"))

project = "Glassworks"
author = "The Glassworks developers"
copyright = author
version = release = re.search(r"project\(\w+\s+VERSION ([\d.]+)", open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8").read())[1]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 5
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["files"]
highlight_language = "text"
# What an article on a library page is not reached by, such as the records of measurements, is not in the navigation.
suppress_warnings = ["toc.excluded", "myst.header"]
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_mock_imports = [name for name in ("numpy", "pandas", "h5py", "xxhash") if not importlib.util.find_spec(name)]

html_theme = "furo"
html_math_renderer = "mathml"
html_title = "Glassworks"
html_static_path = [os.path.join(ROOT, "tools", "docs", "static")]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
# Debian's Furo has no dark colours for browsers that ask for them: they are named here, and its head offers them to both.
DARK = {
    "color-problematic": "#ee5151", "color-foreground-primary": "#ffffffcc", "color-foreground-secondary": "#9ca0a5",
    "color-foreground-muted": "#8b9097", "color-foreground-border": "#666666", "color-background-primary": "#131416",
    "color-background-secondary": "#1a1c1e", "color-background-hover": "#1e2124", "color-background-hover--transparent": "#1e212400",
    "color-background-border": "#303335", "color-background-item": "#444444", "color-brand-primary": "#5aa9f5", "color-brand-content": "#5aa9f5",
    "color-highlighted-background": "#083563", "color-highlight-on-target": "#333300", "color-api-keyword": "#9ca0a5",
    "color-admonition-background": "#18181a", "color-card-background": "#18181a",
}
html_theme_options = {"navigation_with_keys": True, "dark_css_variables": DARK}


def visit_math(self, node):
    """Equations as MathML, which browsers draw by themselves: no script, no fonts."""
    block = isinstance(node, nodes.math_block)
    try:
        mathml = latex2mathml.tex2mathml(node.astext(), inline=not block)
    except (SyntaxError, IndexError, AttributeError) as error:
        raise ValueError(f"the equation {node.astext()} cannot be drawn ({error})") from None
    self.body.append(f'<div class="math">{mathml}</div>' if block else mathml)
    raise nodes.SkipNode


def plain_docstring(app, what, name, obj, options, lines):
    """Docstrings are plain text: paragraphs, and blocks that are indented or aligned, which stay as they are."""
    paragraphs = "\n".join(lines).strip("\n").split("\n\n")
    lines[:] = []
    for paragraph in paragraphs:
        rows = paragraph.split("\n")
        if any(row.startswith(" ") for row in rows) or any("  " in row.strip() for row in rows):
            lines += ["::", "", *("    " + row for row in rows), ""]
        else:
            lines += [re.sub(r"`+([^`]*)`+", r"``\1``", re.sub(r"[*|_](?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)", r"\\\g<0>", row)) for row in rows]
            lines.append("")


def orphans(app, docname, source):
    """Pages that are reached by links alone need not stand in the navigation."""
    if docname not in IN_NAVIGATION:
        source[0] = "---\norphan: true\n---\n\n" + source[0]


IN_NAVIGATION = set()


def read_navigation(app, *_):
    text = open(os.path.join(app.srcdir, "index.md"), encoding="utf-8").read()
    for table in re.findall(r"```{toctree}\n(.*?)```", text, re.S):
        IN_NAVIGATION.update(re.sub(r".*<(.*)>", r"\1", line.strip()) for line in table.split("\n") if line and not line.startswith(":"))
    IN_NAVIGATION.add("index")


def setup(app):
    app.connect("builder-inited", read_navigation)
    app.connect("source-read", orphans)
    app.connect("autodoc-process-docstring", plain_docstring)
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math, None))
