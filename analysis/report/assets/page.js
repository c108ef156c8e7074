"use strict";
(() => {
  const look = JSON.parse(document.body.dataset.look);  // colours and markers: analysis/report/palette.hpp
  const themes = {
    light: { text: "#1b1b1b", axis: "#444", grid: "#ececec", guide: "#666", hover: "#fff", colours: look.light },
    dark: { text: "#e4e4e0", axis: "#a5a5a0", grid: "#2d3036", guide: "#9a9a95", hover: "#22252a", colours: look.dark },
  };
  const symbols = look.symbols;
  const dashes = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
  const guideDashes = ["dash", "dot", "dashdot", "longdash"];
  const printWidth = 500, printWidthOfTwo = 326;  // px; two fit between the margins of A4 and Letter
  const isBrief = document.body.classList.contains("brief");
  const asSheets = () => document.body.classList.contains("sheets");
  const wideScreen = matchMedia("(min-width: 860px)");
  const useSheets = () => document.body.classList.toggle("sheets", isBrief && (printing || wideScreen.matches));

  const darkScreen = matchMedia("(prefers-color-scheme: dark)");
  const coarsePointer = matchMedia("(pointer: coarse)");
  let printing = false;
  useSheets();

  const symbolOf = (look) => symbols[look.symbol % symbols.length] + (look.open ? "-open" : "");
  const finite = (x) => x !== null && Number.isFinite(x);
  const withoutTags = (html) => html.replace(/<[^>]*>/g, "").replace(/&[^;]*;/g, "x");

  /** Rows "x,y,y_error,x_error" as numbers; what is none (nan, inf, empty) is null and leaves a gap. */
  function columnsOf(rows) {
    const columns = [[], [], [], []];
    if (rows === "") return columns;
    for (const row of rows.slice(0, -1).split("\n")) {
      row.split(",").forEach((cell, i) => {
        const value = cell === "" ? NaN : Number(cell);
        columns[i].push(Number.isFinite(value) ? value : null);
      });
    }
    return columns;
  }

  /** 0.4504(75): the error in units of the last digits, rounded to two of them; six digits without an error. */
  function valueText(value, error) {
    if (!finite(value)) return "none";
    const largest = Math.max(Math.abs(value), finite(error) ? error : 0);
    const exponent = largest > 0 ? Math.floor(Math.log10(largest)) : 0;
    const shift = exponent < -4 || exponent > 6 ? exponent : 0;
    const power = shift === 0 ? "" : ` × 10<sup>${String(shift).replace("-", "−")}</sup>`;
    const unit = 10 ** -shift;
    const scaled = (x) => (Number.isFinite(unit) && unit > 0 ? x * unit : x / 10 ** shift);
    const v = scaled(value);
    let text;
    if (!finite(error) || !(error > 1e-14 * Math.abs(value))) {
      text = String(Number(v.toPrecision(6)));
    } else {
      const e = scaled(error);
      let decimals = 1 - Math.floor(Math.log10(e));
      if (Math.round(e * 10 ** decimals) >= 100) --decimals;
      if (decimals <= 0) {
        const step = 10 ** -decimals;
        text = `${Math.round(v / step) * step}(${Math.round(e / step) * step})`;
      } else {
        text = `${v.toFixed(decimals)}(${decimals === 1 ? e.toFixed(1) : Math.round(e * 10 ** decimals)})`;
      }
    }
    return text.replace("-", "−") + power;
  }

  class Figure {
    constructor(element) {
      this.element = element;
      this.canvas = element.querySelector(".canvas");
      this.note = element.querySelector(".note");
      this.drawn = false;
      this.dragmode = coarsePointer.matches ? false : "zoom";  // a finger scrolls the page
      if (!asSheets()) this.canvas.style.minHeight = `${this.baseHeight(this.canvas.clientWidth)}px`;
    }

    read() {
      if (this.data) return;
      this.data = JSON.parse(this.element.querySelector("script").textContent);
      for (const series of this.data.series) [series.x, series.y, series.yError, series.xError] = columnsOf(series.rows);
      for (const guide of this.data.guides) {
        const [x, y, yError, xError] = columnsOf(guide.row).map((column) => column[0]);
        guide.at = guide.vertical ? x : y;
        guide.error = guide.vertical ? xError : yError;
      }
      const positive = (name) => this.data.series.some((series) => series[name].some((value) => value > 0));
      this.canBeLog = { x: positive("x"), y: positive("y") };
      this.log = { x: this.data.x.log && this.canBeLog.x, y: this.data.y.log && this.canBeLog.y };
      this.addButtons();
    }

    csv() {
      let text = "series,x,y,y_error,x_error\n";
      for (const series of this.data.series) text += series.rows.replace(/^(?=.)/gm, () => `${series.cell},`);
      for (const guide of this.data.guides) text += `${guide.cell},${guide.row}`;
      return text;
    }

    baseHeight(width) {
      return Math.round(Math.min(460, Math.max(300, 0.62 * width)));
    }

    traces(theme) {
      const traces = [];
      // Series of one text share an entry in the legend, the one with markers if there is one.
      const entry = new Map();
      for (const series of this.data.series) {
        const known = entry.get(series.legend);
        if (!known || (!known.style.startsWith("points") && series.style.startsWith("points"))) entry.set(series.legend, series);
      }
      const named = (text) => this.data.series.filter((series) => series.legend === text).length;
      const barSeries = this.data.series.filter((series) => series.style === "bars").length;
      for (const series of this.data.series) {
        const colour = theme.colours[series.colour];
        const shared = { name: series.legend, showlegend: series.legend !== "" && entry.get(series.legend) === series };
        if (named(series.legend) > 1 || series.style === "band") shared.legendgroup = series.legend;
        const trace = { ...shared, x: series.x, y: series.y, hoverinfo: "text", hovertext: this.hoverTexts(series) };
        const dash = dashes[series.dash % dashes.length];
        if (series.style === "band") {
          traces.push({ ...this.bandOutline(series), ...shared, showlegend: false, mode: "lines", fill: "toself",
            fillcolor: `${colour}38`, line: { width: 0, color: colour }, hoverinfo: "skip" });
        }
        if (series.style === "bars") {
          Object.assign(trace, { type: "bar", marker: { color: `${colour}${barSeries > 1 ? "70" : "b0"}`,
            line: { color: colour, width: 1 } } });
        } else if (series.style === "line" || series.style === "band") {
          Object.assign(trace, { type: "scatter", mode: "lines", line: { color: colour, width: 1.7, dash } });
        } else {
          const size = series.x.length > 1000 ? 3 : series.x.length > 200 ? 4.5 : 7;
          Object.assign(trace, { type: "scatter", mode: series.style === "points" ? "markers" : "lines+markers",
            line: { color: colour, width: 1.3, dash: series.open ? "dot" : "solid" },
            marker: { color: colour, size, symbol: symbolOf(series) } });
        }
        if (series.style.startsWith("points") || series.style === "bars") {
          const bar = { type: "data", thickness: 1.2, width: series.x.length > 200 ? 0 : 3, color: colour };
          const known = (errors) => errors.map((error) => error ?? NaN);  // plotly.js takes null for 0
          if (series.yError.some(finite)) trace.error_y = { ...bar, array: known(series.yError) };
          if (series.xError.some(finite)) trace.error_x = { ...bar, array: known(series.xError) };
        }
        traces.push(trace);
      }
      for (const kind of this.data.kinds) {
        const look = kind.points ? { mode: "markers", marker: { symbol: symbolOf({ symbol: 0, open: kind.open }), size: 7 } }
          : { mode: "lines", line: { width: 1.7, dash: dashes[kind.dash % dashes.length] } };
        const entryOfKind = { type: "scatter", x: [null], y: [null], name: kind.legend, hoverinfo: "skip", ...look };
        (entryOfKind.marker ?? entryOfKind.line).color = theme.guide;
        traces.push(entryOfKind);
      }
      return this.data.inset ? [...traces, ...this.enlarged(traces)] : traces;
    }

    /** The same traces on the axes of the inset, as far as they have points in it. */
    enlarged(traces) {
      const { x: [low, high] } = this.data.inset;
      const inside = (trace) => trace.x.some((x) => finite(x) && x >= low && x <= high);
      return traces.filter(inside).map((trace) => {
        const copy = { ...trace, xaxis: "x2", yaxis: "y2", showlegend: false };
        if (copy.marker) copy.marker = { ...copy.marker, size: 5 };
        return copy;
      });
    }

    /** Axes of the inset in its corner, its guides and its frame. */
    inset(axis, shapes, theme) {
      const { x, y, right, top } = this.data.inset;
      const small = { title: undefined, type: "linear", autorange: false, automargin: false, nticks: 4, ticklen: 3,
        tickfont: { size: 10 }, fixedrange: true, minor: undefined };
      const lines = shapes.filter((shape) => shape.xref === "x" && shape.x1 >= x[0] && shape.x0 <= x[1]).map((shape) => (
        { ...shape, xref: "x2", yref: "y2 domain", x0: Math.max(shape.x0, x[0]), x1: Math.min(shape.x1, x[1]) }));
      const frame = { type: "rect", xref: "x", yref: "y", x0: x[0], x1: x[1], y0: y[0], y1: y[1], layer: "above",
        line: { color: theme.axis, width: 0.8 } };
      return {
        axes: {
          xaxis2: { ...axis("x"), ...small, range: x, anchor: "y2", domain: right ? [0.61, 0.985] : [0.09, 0.465] },
          yaxis2: { ...axis("y"), ...small, range: y, anchor: "x2", domain: top ? [0.64, 0.97] : [0.1, 0.43] },
        },
        shapes: this.log.x || this.log.y ? lines : [...lines, frame],
      };
    }

    /** Value + error to and value - error fro, around each stretch without a gap. */
    bandOutline(series) {
      const x = [], y = [];
      let stretch = [];
      const lowest = this.log.y ? Math.min(...series.y.filter((value) => value > 0)) / 10 : -Infinity;
      const close = () => {
        for (const i of stretch) { x.push(series.x[i]); y.push(series.y[i] + series.yError[i]); }
        for (const i of stretch.reverse()) { x.push(series.x[i]); y.push(Math.max(series.y[i] - series.yError[i], lowest)); }
        if (stretch.length > 0) { x.push(null); y.push(null); }
        stretch = [];
      };
      series.x.forEach((value, i) => {
        if (finite(value) && finite(series.y[i]) && finite(series.yError[i])) stretch.push(i);
        else close();
      });
      close();
      return { x, y };
    }

    hoverTexts(series) {
      const heading = series.name === "" ? "" : `<b>${series.name}</b><br>`;
      const xLabel = this.data.x.label || "x", yLabel = this.data.y.label || "y";
      return series.x.map((x, i) => `${heading}${xLabel} = ${valueText(x, series.xError[i])}<br>` +
        `${yLabel} = ${valueText(series.y[i], series.yError[i])}`);
    }

    guides(theme) {
      const shapes = [], annotations = [];
      this.data.guides.forEach((guide, i) => {
        const axis = guide.vertical ? "x" : "y";
        if (!finite(guide.at) || (this.log[axis] && guide.at <= 0)) return;
        const across = (low, high) => guide.vertical
          ? { xref: "x", yref: "paper", x0: low, x1: high, y0: 0, y1: 1 }
          : { xref: "paper", yref: "y", x0: 0, x1: 1, y0: low, y1: high };
        const { at, error } = guide;
        if (error > 0) {
          const low = this.log[axis] ? Math.max(at - error, at / 100) : at - error;
          shapes.push({ type: "rect", ...across(low, at + error), fillcolor: theme.guide, opacity: 0.16, line: { width: 0 },
            layer: "below" });
        }
        shapes.push({ type: "line", ...across(at, at), line: { color: theme.guide, width: 1.2,
          dash: guideDashes[i % guideDashes.length] }, layer: "below" });
        if (guide.name === "") return;
        const place = this.log[axis] ? Math.log10(at) : at;
        const label = { text: guide.name, showarrow: false, font: { color: theme.guide, size: 12 } };
        annotations.push(guide.vertical
          ? { ...label, xref: "x", yref: "paper", x: place, xanchor: "left", xshift: 2,
            ...(this.data.inset?.top ? { y: 0, yanchor: "bottom", yshift: 3 + 16 * i } : { y: 1, yanchor: "top", yshift: -3 - 16 * i }) }
          : { ...label, xref: "paper", yref: "y", x: 1, y: place, xanchor: "right", yanchor: "bottom" });
      });
      return { shapes, annotations };
    }

    width() {
      if (!printing || asSheets()) return Math.max(this.canvas.clientWidth, 240);
      const alone = this.element.parentElement.querySelectorAll(":scope > figure").length === 1;
      return alone ? printWidth : printWidthOfTwo;
    }

    layout(theme, width) {
      const names = [...new Set([...this.data.series, ...this.data.kinds].map((one) => one.legend).filter((name) => name !== ""))];
      const beside = width >= 600 && names.every((name) => withoutTags(name).length <= 28);
      const sheet = asSheets(), small = sheet || (printing && width < 400);
      let height = this.baseHeight(width);
      if (sheet) {
        height = Math.max(this.canvas.clientHeight, 60);
      } else if (beside) {
        height = Math.max(height, 21 * names.length + 80);
      } else {
        const wanted = names.reduce((sum, name) => sum + 62 + 7 * withoutTags(name).length, 0);
        height += 21 * Math.ceil(wanted / (0.7 * width)) + 6;
      }
      const axis = (name) => ({
        title: { text: this.data[name].label, standoff: small ? 4 : 8, font: { size: small ? 12 : 15 } }, type: this.log[name] ? "log" : "linear",
        showline: true, mirror: "ticks", ticks: "inside", ticklen: 5, linecolor: theme.axis, tickcolor: theme.axis,
        gridcolor: theme.grid, zeroline: false, automargin: true, exponentformat: "power",
        nticks: this.log[name] ? 5 : name === "x" ? Math.round(width / (small ? 55 : 75)) : small ? 6 : 8,
        minor: { ticks: "inside", ticklen: 3, tickcolor: theme.axis }, uirevision: String(this.log[name]),
      });
      const { shapes, annotations } = this.guides(theme);
      const inset = this.data.inset ? this.inset(axis, shapes, theme) : { axes: {}, shapes: [] };
      return {
        width, height, annotations, shapes: [...shapes, ...inset.shapes], ...inset.axes, xaxis: axis("x"), yaxis: axis("y"), barmode: "overlay", bargap: 0,
        margin: small ? { l: 40, r: 8, t: 6, b: 30 } : { l: 56, r: 14, t: 12, b: 44 }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
        font: { family: "'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif", size: small ? 10.5 : 13, color: theme.text },
        showlegend: names.length > 0, hovermode: "closest", dragmode: this.dragmode, uirevision: "same",
        hoverlabel: { bgcolor: theme.hover, bordercolor: theme.axis, align: "left", font: { color: theme.text } },
        legend: beside ? { x: 1.01, xanchor: "left", y: 1, yanchor: "top", tracegroupgap: 0 }
          : { orientation: "h", x: 0, y: 0, yref: "container", yanchor: "bottom", tracegroupgap: 0 },
      };
    }

    draw() {
      this.read();
      const theme = themes[!printing && darkScreen.matches ? "dark" : "light"];
      const layout = this.layout(theme, this.width());
      this.canvas.style.minHeight = asSheets() ? "0" : `${layout.height}px`;
      this.drawn = true;
      this.showHidden();
      const plotted = Plotly.react(this.canvas, this.traces(theme), layout,
        { displayModeBar: false, displaylogo: false, doubleClick: "reset+autosize", typesetMath: false, responsive: false });
      // Letters in print are a little wider than on a screen: what is left for a figure of a sheet may be less.
      for (const svg of this.canvas.querySelectorAll("svg.main-svg")) {
        if (asSheets()) svg.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
        else svg.removeAttribute("viewBox");
      }
      return plotted;
    }

    /** Says how many points a logarithmic axis cannot show, and if there are none at all. */
    showHidden() {
      let hidden = 0, all = 0;
      for (const series of this.data.series) {
        series.x.forEach((x, i) => {
          const y = series.y[i];
          if (!finite(x) || !finite(y)) return;
          ++all;
          if ((this.log.x && x <= 0) || (this.log.y && y <= 0)) ++hidden;
        });
      }
      this.note.hidden = hidden === 0 && all > 0;
      this.note.textContent = all === 0 ? "There is nothing to draw: this figure has no values." : `${hidden} ${hidden === 1 ? "point is" : "points are"} not shown: a logarithmic axis has no place ` +
        "for zero and negative numbers.";
    }

    addButtons() {
      const bar = this.element.querySelector(".buttons");
      const buttons = {};
      const update = () => {
        for (const name of ["x", "y"]) buttons[`log ${name}`].setAttribute("aria-pressed", this.log[name]);
        for (const mode of ["zoom", "pan"]) buttons[mode].setAttribute("aria-pressed", this.dragmode === mode);
      };
      const add = (name, text, title, action, toggles) => {
        const button = document.createElement("button");
        Object.assign(button, { type: "button", textContent: text, title });
        button.addEventListener("click", () => { action(); if (toggles) { update(); this.draw(); } });
        bar.append(button);
        buttons[name] = button;
      };
      for (const name of ["x", "y"]) {
        add(`log ${name}`, `log ${name}`, `Switch the ${name} axis between linear and logarithmic`,
          () => { this.log[name] = !this.log[name]; }, true);
        buttons[`log ${name}`].disabled = !this.canBeLog[name];
      }
      for (const mode of ["zoom", "pan"]) {
        add(mode, mode === "zoom" ? "Zoom" : "Pan", `Drag in the figure to ${mode}`,
          () => { this.dragmode = this.dragmode === mode ? false : mode; }, true);
      }
      add("reset", "Reset", "Show everything again", () => this.reset());
      add("svg", "SVG", "Download as vector graphics", () => this.saveImage("svg"));
      add("png", "PNG", "Download as a picture", () => this.saveImage("png"));
      add("csv", "CSV", "Download the numbers of this figure", () => save(`${this.data.file}.csv`, this.csv(), "text/csv"));
      update();
    }

    reset() {
      return Plotly.update(this.canvas, { visible: true }, { "xaxis.autorange": true, "yaxis.autorange": true });
    }

    /** As it is now (zoom, axes, hidden series), in light colours on white. */
    async saveImage(format) {
      const width = 720;
      const layout = { ...this.layout(themes.light, width), paper_bgcolor: "#fff" };
      for (const axis of ["xaxis", "yaxis"]) {
        const shown = this.canvas.layout[axis];
        if (!shown.autorange) Object.assign(layout[axis], { range: shown.range.slice(), autorange: false });
      }
      const data = this.traces(themes.light);
      data.forEach((trace, i) => { trace.visible = this.canvas.data[i].visible; });
      const url = await Plotly.toImage({ data, layout }, { format, width, height: layout.height, scale: format === "png" ? 3 : 1 });
      const [head, body] = [url.slice(0, url.indexOf(",")), url.slice(url.indexOf(",") + 1)];
      const content = head.endsWith("base64") ? Uint8Array.from(atob(body), (c) => c.charCodeAt(0)) : decodeURIComponent(body);
      save(`${this.data.file}.${format}`, content, format === "svg" ? "image/svg+xml" : "image/png");
    }
  }

  function save(name, content, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type: type.startsWith("text") ? `${type};charset=utf-8` : type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  const figures = [...document.querySelectorAll("figure.plot")].map((element) => new Figure(element));
  const folds = [...document.querySelectorAll("details.folded")];
  /** Draws one figure after the other, so that the page stays responsive. */
  async function drawAll() {
    for (const fold of folds) fold.open = true;
    for (const figure of figures) {
      if (figure.drawn) continue;
      await figure.draw();
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  /** A figure in a closed part has no width now: it is drawn when it comes into view again. */
  function redraw() {
    for (const figure of figures) {
      if (figure.drawn && figure.canvas.checkVisibility()) figure.draw();
      else figure.drawn = false;
    }
  }

  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const figure = figures.find((one) => one.element === entry.target);
      if (entry.isIntersecting && !figure.drawn) figure.draw();
    }
  }, { rootMargin: "600px 0px" });
  for (const figure of figures) observer.observe(figure.element);

  /** A table that is too wide for paper in parts of at most so many columns, each with the first column, as equal as can
      be; only print shows them. */
  const printedColumns = 10;
  function splitForPrint(table) {
    const columns = table.rows[0].cells.length;
    const parts = Math.ceil((columns - 1) / (printedColumns - 1)), width = Math.ceil((columns - 1) / parts);
    for (let from = 1; from < columns; from += width) {
      const part = table.cloneNode(true);
      part.className = "part";
      for (const row of part.rows) {
        [...row.cells].forEach((cell, i) => { if (i !== 0 && (i < from || i >= from + width)) cell.remove(); });
      }
      table.parentElement.append(part);
    }
    table.classList.add("split");
  }
  function splitTables() {
    for (const table of document.querySelectorAll(".wide table:not(.split, .part)")) {
      if (table.rows.length > 0 && table.rows[0].cells.length > printedColumns) splitForPrint(table);
    }
  }

  for (const table of document.querySelectorAll("figure.table")) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: "CSV", title: "Download this table" });
    button.addEventListener("click", () => {
      const data = JSON.parse(table.querySelector("script").textContent);
      save(`${data.file}.csv`, data.csv, "text/csv");
    });
    table.querySelector(".buttons").append(button);
  }

  const contents = document.querySelector("details.contents");
  if (contents && innerWidth < 1100) contents.open = false;

  let width = innerWidth, timer = 0;
  addEventListener("resize", () => {
    if (innerWidth === width || printing) return;
    width = innerWidth;
    clearTimeout(timer);
    timer = setTimeout(() => { useSheets(); redraw(); }, 150);
  });
  darkScreen.addEventListener("change", redraw);

  let closed = [];  // folds that were so before printing
  addEventListener("beforeprint", () => {
    printing = true;
    useSheets();
    splitTables();
    closed = folds.filter((fold) => !fold.open);
    for (const fold of closed) fold.open = true;
    for (const figure of figures) figure.draw();
  });
  addEventListener("afterprint", () => {
    printing = false;
    useSheets();
    for (const fold of closed) fold.open = false;
    redraw();
  });

  /** A link into a folded part opens it. */
  function openTarget() {
    if (location.hash === "#all") {
      drawAll();
      return;
    }
    const target = document.getElementById(location.hash.slice(1));
    const fold = target && target.closest("details.folded");
    if (!fold || fold.open) return;
    fold.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", openTarget);
  openTarget();
  for (const link of document.querySelectorAll("nav a")) {  // also where the address has the target already
    link.addEventListener("click", () => { if (link.hash === location.hash) openTarget(); });
  }
  if (isBrief) drawAll();
  window.glassworks = { figures, drawAll };
})();
