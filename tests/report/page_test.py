#!/usr/bin/python3
"""The report page in a real browser: page_test.py REPORT_DEMO SCRATCH.

REPORT_DEMO writes demo.html, large.html, their brief pages and csv/ into SCRATCH; pictures for people are left in SCRATCH/pictures.
Exit status 77: Chromium is not installed.
"""

import csv
import math
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

# Everything, as the test labelled slow does.
ALL = bool(os.environ.get("GLASSWORKS_TEST_ALL"))
ABSENT = [program for program in ("/usr/bin/chromium", "/usr/bin/chromedriver") if not shutil.which(program)]
if ABSENT:  # before anything that drives them is looked for
    print(f"Skipped: {', '.join(ABSENT)} not found. Install the packages chromium, chromium-driver and python3-selenium.")
    sys.exit(77)
sys.dont_write_bytecode = True  # nothing but the source lies in the source tree
import browser

FIGURES = ["xi_over_L", "crossings", "chi_sg", "identity", "round_trips", "P_of_q", "many", "extremes", "gaps", "nothing",
           "one_point", "hostile"]
SVG = "{http://www.w3.org/2000/svg}"

# What plotly.js holds of a figure, point by point: the traces without the outlines of bands.
DRAWN = """
const figure = glassworks.figures.find((one) => one.element.id === "figure-" + arguments[0]);
return figure.canvas.data.filter((trace) => trace.fill !== "toself").map((trace, i) => {
  const bars = (name) => trace[name] ? trace[name].array : null;
  return { x: trace.x, y: trace.y, ey: bars("error_y"), ex: bars("error_x"), style: figure.data.series[i].style,
           yError: figure.data.series[i].yError, xError: figure.data.series[i].xError, hover: trace.hovertext };
});
"""
COUNTS = """
const canvas = document.querySelector("#figure-" + arguments[0] + " .canvas");
const count = (selector) => canvas.querySelectorAll(selector).length;
const seen = (trace) => [...trace.querySelectorAll(".lines path[d]")].some((line) => parseFloat(getComputedStyle(line).strokeWidth) > 0);
return { points: count(".scatterlayer path.point"), lines: [...canvas.querySelectorAll(".scatterlayer .trace")].filter(seen).length, fills: count(".scatterlayer .fills path"),
         bars: count(".barlayer .point path"), errors: count("path.yerror"), svg: count("svg.main-svg"), entries: count(".legend .traces") };
"""


def number(cell):
    """As the page reads it: None where there is no finite number."""
    value = float(cell) if cell else math.nan
    return value if math.isfinite(value) else None


def rows_of(file):
    with open(file, newline="", encoding="utf-8") as lines:
        return list(csv.reader(lines))


def with_error(value, error):
    """0.4504(75), independent of the page: decimal arithmetic on the shortest digits."""
    decimals = 1 - math.floor(math.log10(error))
    return f"{value:.{decimals}f}({error * 10 ** decimals:.0f})"


def looks_only(test):
    """Marks tests of the page with all figures that change nothing there: they run first, so that it is loaded once."""
    test.looks_only = True
    return test


# Marks tests that only the test labelled slow runs: each loads, prints or resizes pages for seconds.
slow = unittest.skipUnless(ALL, "GLASSWORKS_TEST_ALL is not set")


class Loader(unittest.TestLoader):
    def getTestCaseNames(self, case):
        return sorted(super().getTestCaseNames(case), key=lambda name: not hasattr(getattr(case, name), "looks_only"))


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        demo, scratch = sys.argv[1:3]
        cls.scratch = pathlib.Path(scratch).resolve()
        shutil.rmtree(cls.scratch, ignore_errors=True)
        (cls.scratch / "pictures").mkdir(parents=True)
        subprocess.run([demo, str(cls.scratch)], check=True)
        cls.page = cls.scratch / "demo.html"
        cls.browser = browser.Browser(cls.scratch / "downloads")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.browser.complaints()
        self.browser.requests()

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [], "the console has errors or warnings")
        foreign = [url for url in self.browser.requests() if not url.startswith(("file:", "data:", "blob:", "about:"))]
        self.assertEqual(foreign, [], "the page asked a network")

    def button(self, figure, text):
        return next(b for b in self.browser.driver.find_elements("css selector", f"#{figure} .buttons button") if b.get_property("textContent") == text)

    def click(self, figure, text):
        button = self.button(figure, text)
        self.browser.js("arguments[0].scrollIntoView({block: 'center'})", button)
        browser.webdriver.ActionChains(self.browser.driver).move_to_element(button).perform()  # it appears below the mouse
        button.click()

    def axis(self, figure, name, key):
        return self.browser.js("return document.querySelector(arguments[0] + ' .canvas')._fullLayout[arguments[1]][arguments[2]]",
                               f"#figure-{figure}", f"{name}axis", key)

    @looks_only
    def test_numbers_drawn_are_those_of_the_csv(self):
        self.browser.open_all(self.page)
        self.assertEqual(self.browser.js("return glassworks.figures.map((f) => f.data.file)"), FIGURES)
        for figure in FIGURES:
            with self.subTest(figure):
                traces = self.browser.js(DRAWN, figure)
                drawn = []
                for trace in traces:
                    for i, x in enumerate(trace["x"]):
                        drawn.append([x, trace["y"][i], trace["yError"][i], trace["xError"][i]])
                    if trace["style"] in ("points", "points_and_line", "bars"):
                        for shown, held in (("ey", "yError"), ("ex", "xError")):
                            self.assertEqual(trace[shown] or [None] * len(trace["x"]), trace[held], "error bars")
                rows = [[number(cell) for cell in row[1:]] for row in rows_of(self.scratch / "csv" / f"{figure}.csv")[1:]]
                guides = self.browser.js("return glassworks.figures.find((f) => f.data.file === arguments[0]).data.guides.length", figure)
                self.assertEqual(drawn, rows[:len(rows) - guides])
                self.assertGreater(len(drawn), 0)

    @looks_only
    def test_every_number_has_its_mark(self):
        self.browser.open_all(self.page)
        expected = {
            "xi_over_L": {"points": 4 * 16, "lines": 4, "fills": 4, "errors": 4 * 16, "entries": 4},
            "crossings": {"points": 4, "lines": 1, "errors": 4, "entries": 2},
            "chi_sg": {"points": 4 * 18, "lines": 4, "errors": 4 * 18, "entries": 4},
            "identity": {"points": 18, "errors": 18, "entries": 1},
            "round_trips": {"points": 5000, "entries": 1},
            "P_of_q": {"bars": 80, "errors": 80, "entries": 2},
            "many": {"points": 8 * 12, "lines": 16, "entries": 16},
            "extremes": {"points": 5, "lines": 1},
            "gaps": {"points": 3, "lines": 2, "fills": 1, "errors": 2, "entries": 3},
            "nothing": {"points": 0},
            "one_point": {"points": 1, "errors": 1, "entries": 0},
            "hostile": {"points": 2, "lines": 1, "entries": 2},
        }
        for figure in FIGURES:
            with self.subTest(figure):
                counts = self.browser.js(COUNTS, figure)
                self.assertGreater(counts["svg"], 0)
                self.assertEqual({key: counts[key] for key in expected[figure]}, expected[figure])
        self.browser.picture(self.scratch / "pictures" / "desktop.png", 12000)

    def test_hover_shows_value_and_error(self):
        self.browser.open_figure(self.page, "figure-xi_over_L")
        row = rows_of(self.scratch / "csv" / "xi_over_L.csv")
        points = [r for r in row if r[0] == "L = 8"][120:]  # after the band
        self.browser.js("""Plotly.Fx.hover(document.querySelector("#figure-xi_over_L .canvas"), [{curveNumber: 8, pointNumber: 5}])""")
        text = self.browser.wait(lambda: self.browser.js(
            "const t = document.querySelector('#figure-xi_over_L .hovertext'); return t && t.textContent"), "the hover label")
        self.assertIn("L = 8", text)
        self.assertIn(with_error(float(points[5][2]), float(points[5][3])), text)

    @looks_only
    def test_csv_is_that_of_the_program(self):
        self.browser.open_all(self.page)
        for figure in FIGURES:
            self.click(f"figure-{figure}", "CSV")
            self.assertEqual(self.browser.downloaded(f"{figure}.csv"), (self.scratch / "csv" / f"{figure}.csv").read_bytes())
        for table in ("exponents", "wide", "hostile_table"):
            self.click(f"table-{table}", "CSV")
            self.assertEqual(self.browser.downloaded(f"{table}.csv"), (self.scratch / "csv" / f"{table}.csv").read_bytes())

    def test_pictures_can_be_downloaded(self):
        self.browser.open_figure(self.page, "figure-xi_over_L", dark=True)
        self.click("figure-xi_over_L", "SVG")
        svg = self.browser.downloaded("xi_over_L.svg")
        root = xml.etree.ElementTree.fromstring(svg)
        self.assertEqual(len([p for p in root.iter(f"{SVG}path") if p.get("class") == "point"]), 4 * 16)
        self.assertIn(b"255, 255, 255", svg, "white ground also from a dark page")
        self.click("figure-xi_over_L", "PNG")
        png = self.browser.downloaded("xi_over_L.png")
        self.assertTrue(png.startswith(b"\x89PNG"))
        self.assertEqual(int.from_bytes(png[16:20], "big"), 3 * 720)
        (self.scratch / "pictures" / "xi_over_L.png").write_bytes(png)

    @slow
    def test_buttons_appear_below_the_mouse_and_with_the_focus(self):
        self.browser.open_figure(self.page, "figure-crossings")
        opacity = lambda: self.browser.js("return getComputedStyle(document.querySelector('#figure-crossings .buttons')).opacity")
        browser.webdriver.ActionChains(self.browser.driver).move_to_element(self.browser.driver.find_element("css selector", "h1")).perform()
        self.assertEqual(opacity(), "0")
        self.browser.js("document.querySelector('#figure-crossings .buttons button').focus({preventScroll: true})")
        self.assertEqual(opacity(), "1")
        self.browser.js("document.activeElement.blur()")
        self.assertEqual(opacity(), "0")
        browser.webdriver.ActionChains(self.browser.driver).move_to_element(self.button("figure-crossings", "CSV")).perform()
        self.assertEqual(opacity(), "1")

    @slow
    def test_downloaded_picture_keeps_the_zoom(self):
        self.browser.open_figure(self.page, "figure-crossings")
        self.browser.js("return Plotly.relayout(document.querySelector('#figure-crossings .canvas'), {'xaxis.range': [0.5, 0.75]})")
        self.click("figure-crossings", "SVG")
        svg = self.browser.downloaded("crossings.svg").decode()
        self.assertIn(">0.65<", svg)
        self.assertNotIn(">0.02<", svg)

    @slow
    def test_logarithmic_axes(self):
        self.browser.open(self.page)
        for figure in ("xi_over_L", "chi_sg", "gaps", "one_point"):
            self.browser.js("return glassworks.figures.find((one) => one.element.id === 'figure-' + arguments[0]).draw().then(() => true)", figure)
        self.assertEqual(self.axis("xi_over_L", "x", "type"), "linear")
        self.click("figure-xi_over_L", "log x")
        self.assertEqual([self.axis("xi_over_L", axis, "type") for axis in "xy"], ["log", "linear"])
        self.assertEqual(self.button("figure-xi_over_L", "log x").get_attribute("aria-pressed"), "true")
        low, high = self.axis("xi_over_L", "x", "range")
        self.assertTrue(-1.2 < low <= -1 and math.log10(0.6) <= high < 0, (low, high))
        self.click("figure-chi_sg", "log y")
        self.assertEqual([self.axis("chi_sg", axis, "type") for axis in "xy"], ["log", "linear"])
        self.click("figure-gaps", "log y")
        note = self.browser.driver.find_element("css selector", "#figure-gaps .note")
        self.assertTrue(note.is_displayed())
        self.assertIn("2 points are not shown", note.text)
        self.assertEqual(self.browser.js(COUNTS, "gaps")["points"], 1)
        self.assertFalse(self.button("figure-one_point", "log y").is_enabled(), "all negative")

    def test_zoom_and_reset(self):
        self.browser.open_figure(self.page, "figure-crossings")
        before = self.axis("crossings", "x", "range")
        self.browser.js("document.querySelector('#figure-crossings').scrollIntoView({block: 'center'})")
        layer = self.browser.driver.find_element("css selector", "#figure-crossings .nsewdrag")
        actions = browser.webdriver.ActionChains(self.browser.driver)
        actions.move_to_element_with_offset(layer, -60, -60).click_and_hold().move_by_offset(60, 50).move_by_offset(60, 50)
        actions.release().perform()
        self.browser.wait(lambda: self.axis("crossings", "x", "range") != before, "the zoom")
        low, high = self.axis("crossings", "x", "range")
        self.assertTrue(before[0] < low < high < before[1], (before, low, high))
        self.assertLess(high - low, 0.5 * (before[1] - before[0]))
        self.click("figure-crossings", "Pan")
        self.assertEqual(self.axis("crossings", "x", "range"), [low, high], "another mode keeps the zoom")
        self.browser.js("document.querySelector('#figure-crossings').scrollIntoView({block: 'center'})")
        actions = browser.webdriver.ActionChains(self.browser.driver)
        actions.move_to_element(layer).click_and_hold().move_by_offset(40, 0).move_by_offset(40, 0).release().perform()
        self.browser.wait(lambda: self.axis("crossings", "x", "range")[0] < low, "panning")
        panned = self.axis("crossings", "x", "range")
        self.assertAlmostEqual(panned[1] - panned[0], high - low, 6)
        self.click("figure-crossings", "Reset")
        self.assertEqual(self.axis("crossings", "x", "range"), before)

    @slow
    def test_legend_hides_and_shows(self):
        self.browser.open_figure(self.page, "figure-xi_over_L")
        visible = lambda: self.browser.js("""return document.querySelector("#figure-xi_over_L .canvas")._fullData.map((t) => t.visible)""")
        self.assertEqual(visible(), [True] * 12)
        toggle = self.browser.driver.find_elements("css selector", "#figure-xi_over_L .legendtoggle")[1]
        self.browser.js("arguments[0].scrollIntoView({block: 'center'})", toggle)
        toggle.click()
        self.browser.wait(lambda: visible().count("legendonly") == 3, "band, line and points of one size to go")
        self.click("figure-xi_over_L", "log x")
        self.assertEqual(visible().count("legendonly"), 3, "another axis keeps what is hidden")
        self.click("figure-xi_over_L", "Reset")
        self.assertEqual(visible(), [True] * 12)

    @slow
    def test_figures_are_drawn_when_they_come_into_view(self):
        self.browser.open(self.scratch / "large.html")
        drawn = lambda: self.browser.js("return glassworks.figures.map((figure) => figure.drawn)")
        self.browser.wait(lambda: any(drawn()), "the first figures")
        self.assertLess(sum(drawn()), 10)
        self.assertEqual(len(drawn()), 60)
        self.browser.js("document.querySelector('#figure-figure_59').scrollIntoView()")
        self.browser.wait(lambda: drawn()[59], "the last figure")
        self.assertLess(sum(drawn()), 20)

    def test_phone(self):
        self.browser.open_all(self.page, width=375, height=800, mobile=True)
        self.assertLessEqual(self.browser.js("return document.documentElement.scrollWidth"), 375)
        for figure in FIGURES:
            left, right = self.browser.js("""const box = document.querySelector(arguments[0] + " svg.main-svg").getBoundingClientRect();
                                             return [box.left, box.right]""", f"#figure-{figure}")
            self.assertTrue(0 <= left and right <= 375, (figure, left, right))
        self.assertTrue(self.browser.js("return [...document.querySelectorAll('.buttons button')].every((b) => b.offsetHeight >= 32)"))
        self.browser.picture(self.scratch / "pictures" / "phone.png", 12000)

    @slow
    def test_figures_fit_again_after_turning_the_phone(self):
        self.browser.open_figure(self.page, "figure-chi_sg", width=800, height=375)
        width = lambda: self.browser.js("return document.querySelector('#figure-chi_sg svg.main-svg').getBoundingClientRect().width")
        self.assertGreater(width(), 600)
        self.browser.view(width=375, height=800)
        self.browser.wait(lambda: width() < 375, "narrow figures")
        self.assertLessEqual(self.browser.js("return document.documentElement.scrollWidth"), 375)

    @slow
    def test_dark(self):
        self.browser.open_all(self.page, dark=True)
        colour = lambda selector, key: self.browser.js(
            "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]].match(/\\d+/g).slice(0, 3).map(Number)", selector, key)
        self.assertLess(max(colour("body", "backgroundColor")), 60)
        self.assertGreater(min(colour("#figure-chi_sg .xtick text", "fill")), 180)
        self.browser.picture(self.scratch / "pictures" / "dark.png", 12000)
        self.browser.view(dark=False)
        self.browser.wait(lambda: max(colour("#figure-chi_sg .xtick text", "fill")) < 80, "dark letters on light ground")

    def test_print(self):
        self.browser.open(self.page, dark=True)
        self.assertFalse(all(self.browser.js("return glassworks.figures.map((figure) => figure.drawn)")))
        file = self.scratch / "pictures" / "print.pdf"
        file.write_bytes(self.browser.pdf())
        text = subprocess.run(["pdftotext", "-layout", file, "-"], check=True, capture_output=True, text=True).stdout
        for i in range(1, len(FIGURES) + 1):
            self.assertIn(f"Figure {i}.", text)
        for label in ("round trips", "T = 0.550", "crossing of L and 2 L", "0.1294(38)", "ladder.T_min", "Digest of all bins"):
            self.assertIn(label, text)
        for control in ("Reset", "PNG", "Contents"):
            self.assertNotIn(control, text)
        images = subprocess.run(["pdfimages", "-list", file], check=True, capture_output=True, text=True).stdout
        self.assertEqual(len(images.splitlines()), 2, "vector graphics, no pictures")
        self.assertLessEqual(self.browser.js("return Math.max(...glassworks.figures.map((f) => f.canvas.offsetWidth))"), 860)

    def test_folded_parts_open_by_click_and_by_link(self):
        self.browser.open(self.page)
        is_open = lambda: self.browser.js("return [...document.querySelectorAll('details.folded')].map((fold) => fold.open)")
        self.assertEqual(is_open(), [False] * 3, "equilibration, provenance, configuration")
        self.assertFalse(self.browser.js("return document.querySelector('#figure-identity').checkVisibility()"))
        self.browser.js("document.querySelector(\"nav a[href='#section-equilibrium']\").click()")
        self.browser.wait(lambda: is_open() == [True, False, False], "the part that the link leads to")
        self.browser.wait(lambda: self.browser.js("return glassworks.figures.find((one) => one.data?.file === 'identity')?.drawn"), "its figure")
        self.browser.js("document.querySelector('details.folded summary').click()")
        self.assertEqual(is_open(), [False] * 3)
        self.browser.js("document.querySelector(\"nav a[href='#section-equilibrium']\").click()")
        self.browser.wait(lambda: is_open()[0], "the part again, though the address is the same")
        self.browser.open(self.page, "#figure-round_trips")
        self.assertEqual(is_open(), [True, False, False], "an address that leads into the part")

    @slow
    def test_folded_parts_close_again_after_printing(self):
        self.browser.open(self.page)
        self.browser.pdf()
        self.browser.wait(lambda: self.browser.js("return [...document.querySelectorAll('details.folded')].every((fold) => !fold.open)"), "folds")
        self.browser.js("document.querySelector('details.folded summary').click()")
        self.browser.js("document.querySelector('#figure-identity').scrollIntoView()")
        widths = lambda: self.browser.js("""return [...document.querySelectorAll("#figure-identity .canvas, #figure-identity svg.main-svg")]
                                            .map((one) => Math.round(one.getBoundingClientRect().width))""")
        self.browser.wait(lambda: len(set(widths())) == 1 and widths()[0] > 400, "a figure as wide as its place on the screen")

    @looks_only
    def test_size_has_one_colour_and_marker_in_all_figures(self):
        self.browser.open_all(self.page)
        looks = self.browser.js("""
            const looks = {};
            for (const figure of glassworks.figures) for (const trace of figure.canvas.data) {
              if (!/^L = [0-9]+$/.test(trace.name) || trace.fill === "toself") continue;
              (looks[trace.name] ??= []).push([trace.marker?.symbol ?? null, (trace.marker?.line ?? trace.marker ?? trace.line).color]);
            }
            return looks;""")
        self.assertEqual(sorted(looks), ["L = 12", "L = 4", "L = 6", "L = 8"])
        colours = {name: {colour for _, colour in seen} for name, seen in looks.items()}
        symbols = {name: {symbol for symbol, _ in seen if symbol} for name, seen in looks.items()}
        self.assertGreater(len(looks["L = 12"]), 3, "figures that lack other sizes are among them")
        self.assertEqual([len(seen) for seen in colours.values()], [1] * 4, colours)
        self.assertEqual([len(seen) for seen in symbols.values()], [1] * 4, symbols)
        self.assertEqual(len(set.union(*colours.values())), 4)
        self.assertEqual(len(set.union(*symbols.values())), 4)

    @looks_only
    def test_legend_holds_every_text_once(self):
        self.browser.open_all(self.page)
        for figure in FIGURES:
            entries = self.browser.js("return [...document.querySelectorAll(arguments[0] + ' .legendtext')].map((text) => text.textContent)", f"#figure-{figure}")
            self.assertEqual(len(entries), len(set(entries)), (figure, entries))

    @slow
    def test_wide_table_is_split_in_print(self):
        file = self.scratch / "pictures" / "print.pdf"
        if not file.exists():  # test_print has printed it
            self.browser.open(self.page)
            file.write_bytes(self.browser.pdf())
        text = subprocess.run(["pdftotext", "-layout", file, "-"], check=True, capture_output=True, text=True).stdout
        heading = [line.split() for line in text.splitlines() if line.split()[:3] == ["L", "T", "="]]
        self.assertEqual([len(line) for line in heading], [1 + 3 * 7] * 2, "14 temperatures, half of them in a part")
        boxes = subprocess.run(["pdftotext", "-bbox", file, "-"], check=True, capture_output=True, text=True).stdout
        right = max(float(part.split('"')[0]) for part in boxes.split('xMax="')[1:])
        self.assertLess(right, 595 - 30, "words end before the margin")

    def test_brief_page_prints_on_two_pages(self):
        for name, figures in (("brief", 8), ("large_brief", 8), ("words_brief", 0)) if ALL else (("brief", 8),):
            for width in (1400, 390) if name == "brief" and ALL else (390,):
                with self.subTest(name, width=width):
                    self.browser.open(self.scratch / f"{name}.html", width=width, height=900)
                    self.browser.wait(lambda: self.browser.js("return glassworks.figures.every((figure) => figure.drawn)"), "all figures")
                    file = self.scratch / "pictures" / f"{name}-{width}.pdf"
                    file.write_bytes(self.browser.pdf())
                    info = subprocess.run(["pdfinfo", file], check=True, capture_output=True, text=True).stdout
                    self.assertRegex(info, r"Pages: +2\n")
                    self.assertRegex(info, r"Page size: +59[45][.0-9]* x 84[12]")
                    text = subprocess.run(["pdftotext", "-layout", file, "-"], check=True, capture_output=True, text=True).stdout
                    for i in range(1, figures + 1):
                        self.assertIn(f"Figure {i}.", text)
                    if name == "brief":
                        for label in ("Heisenberg model in 3D", "Spin-glass order below", "0.1294(38)", "Sixteen series", "Program"):
                            self.assertIn(label, text)
                    heights = self.browser.js("return glassworks.figures.map((figure) => figure.canvas._fullLayout.height)")
                    self.assertTrue(all(height > 120 for height in heights), heights)

    @slow
    def test_brief_page_on_a_phone(self):
        self.browser.open(self.scratch / "brief.html", width=390, height=800, mobile=True)
        self.browser.wait(lambda: self.browser.js("return glassworks.figures.every((figure) => figure.drawn)"), "all figures")
        self.assertLessEqual(self.browser.js("return document.documentElement.scrollWidth"), 390)
        self.browser.picture(self.scratch / "pictures" / "brief_phone.png", 12000)

    @looks_only
    def test_hostile_names_stay_text(self):
        self.browser.open_all(self.page)
        self.assertEqual(self.browser.js("return [document.images.length, document.querySelectorAll('script').length]"), [0, 12 + 3 + 2])
        title = self.browser.driver.find_element("css selector", "#caption-hostile .title").text
        self.assertIn("</script><script>alert('x')</script><img src=x onerror=alert(1)> & \"quoted\" 'single' `id`", title)
        self.assertIn("%{y}", title)
        legend = self.browser.driver.find_element("css selector", "#figure-hostile .legend").text
        self.assertIn("</script><script>alert('x')</script>", legend)

    @looks_only
    def test_can_be_used_without_seeing_it(self):
        self.browser.open_all(self.page)
        self.assertEqual(self.browser.js("return document.querySelectorAll('h1').length"), 1)
        self.assertEqual(self.browser.js("return [...document.querySelectorAll('.canvas')].filter((c) => !c.getAttribute('aria-label')).length"), 0)
        self.assertEqual(self.browser.js("""return [...document.querySelectorAll("[aria-labelledby]")]
            .filter((e) => !document.getElementById(e.getAttribute("aria-labelledby"))).length"""), 0)
        self.assertEqual(self.browser.js("""const ids = [...document.querySelectorAll("[id]:not(.canvas *)")].map((e) => e.id);
            return ids.length - new Set(ids).size"""), 0)
        self.assertEqual(self.browser.js("""return [...document.querySelectorAll("nav a")]
            .filter((a) => !document.querySelector(a.getAttribute("href"))).length"""), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2, testLoader=Loader())
