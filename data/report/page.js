"use strict";
// Draws the charts of the page from its tables, which are blocks of comma-separated values

const KINDS = [["compute", "Compute"], ["tensor", "Tensor parallelism"], ["pipeline", "Pipeline"],
  ["data", "Data parallelism"], ["context", "Context parallelism"], ["expert", "Experts"],
  ["other", "Other communication"], ["circuits", "Waiting for a circuit"], ["bubble", "Bubble"]];
const SHADES = 10;
const FACTORS = {s: 1, ms: 1e3, us: 1e6, ns: 1e9, ps: 1e12};
const MOST_BARS = 64, MOST_ROWS = 400;

const tables = {};
for (const block of document.querySelectorAll("pre[data-table]")) {
  tables[block.dataset.table] = parse(block.textContent);
}
const runs = rowsOf("results").map(row => row.fabric);
const pen = document.createElement("canvas").getContext("2d");

// Rows of a table as objects
function parse(text) {
  const lines = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    lines[lines.length - 1].push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\n") lines.push([]);
    if (end === "") break;
  }
  const heads = lines[0];
  const rows = lines.slice(1).filter(line => line.length === heads.length);
  return {text, heads, rows: rows.map(line => Object.fromEntries(heads.map((head, i) => [head, line[i]])))};
}

function rowsOf(name, run) {
  const rows = tables[name] ? tables[name].rows : [];
  return run === undefined ? rows : rows.filter(row => row.fabric === run);
}

function escape(text) {
  return String(text).replace(/[&<>"]/g, sign => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[sign]);
}

function add(parent, html) {
  parent.insertAdjacentHTML("beforeend", html);
  return parent.lastElementChild;
}

function digits(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(4)));
}

function unitOf(seconds) {
  return seconds >= 1 ? "s" : seconds >= 1e-3 ? "ms" : seconds >= 1e-6 ? "us" : seconds >= 1e-9 ? "ns" : "ps";
}

function time(seconds) {
  const unit = seconds === 0 ? "s" : unitOf(Math.abs(seconds));
  return digits(seconds * FACTORS[unit]) + " " + unit;
}

function scaled(value, unit) {
  const steps = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
  const step = steps.find(([size]) => value >= size) || [1, ""];
  return digits(value / step[0]) + " " + step[1] + unit;
}

function percent(share) {
  return digits(Number((100 * share).toPrecision(3))) + " %";
}

function widthOf(text) {
  pen.font = "12px system-ui, sans-serif";
  return Math.ceil(pen.measureText(text).width);
}

// Text that fits into a width
function fit(text, width) {
  if (widthOf(text) <= width) return text;
  let length = text.length;
  while (length > 1 && widthOf(text.slice(0, length) + "…") > width) --length;
  return text.slice(0, length) + "…";
}

// A table for people; long ones end early, as the file has all rows
function tableHtml(heads, rows) {
  const isNumber = heads.map((_, i) => rows.every(row => /^[-–]?[\d.,]|^$|^–$/.test(row[i])));
  const mark = i => isNumber[i] ? ' class="number"' : "";
  const line = (row, tag) => "<tr>" + row.map((cell, i) => `<${tag}${mark(i)}>${escape(cell)}</${tag}>`).join("") +
    "</tr>";
  const more = rows.length > MOST_ROWS
    ? `<p class="note">${rows.length - MOST_ROWS} more rows are in the file.</p>` : "";
  return `<div class="frame" tabindex="0"><table><thead>${line(heads, "th")}</thead><tbody>` +
    rows.slice(0, MOST_ROWS).map(row => line(row, "td")).join("") + `</tbody></table></div>${more}`;
}

function save(name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([tables[name].text], {type: "text/csv"}));
  link.download = name + ".csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function legend(kinds) {
  return '<ul class="legend">' + kinds.map(([kind, name]) =>
    `<li><i style="background:${fill(kind, true)}"></i>${escape(name)}</li>`).join("") + "</ul>";
}

function fill(kind, isBackground) {
  if (kind !== "bubble") return `var(--${kind})`;
  return isBackground ? "repeating-linear-gradient(45deg,var(--bubble) 0 3px,var(--hatch) 3px 4px)" : "url(#hatch)";
}

// A chart: its title, how to read it, its legend, and the numbers behind it
function chart(host, {title, hint, keys, draw, heads, rows, tip}) {
  const figure = add(host, `<figure><figcaption><h3>${escape(title)}</h3><p>${escape(hint)}</p></figcaption>` +
    `${keys || ""}<div class="plot" role="img" aria-label="${escape(title)}"></div>` +
    "<details><summary>Numbers</summary></details></figure>");
  const plot = figure.querySelector(".plot"), details = figure.querySelector("details");
  let last = 0;
  const redraw = () => {
    const width = Math.floor(plot.clientWidth);
    if (width > 0 && width !== last) {
      last = width;
      plot.innerHTML = draw(width);
    }
  };
  redraw();
  new ResizeObserver(redraw).observe(plot);
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) add(details, tableHtml(heads, rows()));
  });
  const show = event => {
    const owner = event.target.closest ? event.target.closest("[data-tip]") : null;
    const svg = plot.firstElementChild;
    const text = owner ? owner.dataset.tip : tip && svg ? tip(event, svg.getBoundingClientRect(), last) : "";
    point(text, event);
  };
  plot.addEventListener("pointermove", show);
  plot.addEventListener("pointerleave", () => point(""));
}

function point(text, event) {
  const tip = document.getElementById("tip");
  tip.style.display = text ? "block" : "none";
  if (text) {
    tip.textContent = text;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - box.width - 4)) + "px";
    tip.style.top = (event.clientY + 16 + box.height > innerHeight ? event.clientY - box.height - 8
      : event.clientY + 16) + "px";
  }
}

function svg(width, height, content) {
  return `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;
}

// A horizontal axis from 0: lines, numbers that do not touch, and its name
function axis(left, right, top, bottom, most, name) {
  const room = right - left;
  let step = 0;
  for (let exponent = Math.floor(Math.log10(most)) - 2; !step; ++exponent) {
    for (const digit of [1, 2, 5]) {
      const size = Number((digit * 10 ** exponent).toPrecision(1));
      const count = Math.floor(most / size * 1.0000001);
      if (!step && (count + 1) * (widthOf(digits(count * size)) + 18) < room + 30 && count <= 10) step = size;
    }
  }
  let content = "";
  for (let i = 0; i * step <= most * 1.0000001; ++i) {
    const x = left + room * i * step / most;
    content += `<line class="grid" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/>` +
      `<text class="soft" x="${x}" y="${bottom + 15}" text-anchor="middle">${digits(i * step)}</text>`;
  }
  return content + `<text class="soft" x="${(left + right) / 2}" y="${bottom + 32}" text-anchor="middle">` +
    `${escape(name)}</text>`;
}

// Bars side by side along one axis of time; each is {label, note, parts: [[kind, seconds, tip]]}
function bars(width, list, most, name) {
  const unit = unitOf(most), factor = FACTORS[unit];
  const labels = Math.max(...list.map(bar => widthOf(bar.label)));
  const notes = Math.max(...list.map(bar => widthOf(bar.note || "")));
  const isWide = labels + notes + 260 < width;
  const left = isWide ? labels + 10 : 12, right = width - (isWide ? notes + 14 : 18);
  const dense = list.length > 24, height = isWide ? (dense ? 15 : 24) : 38, thick = dense ? 11 : 16;
  const top = 4, bottom = top + height * list.length;
  let content = axis(left, right, top, bottom, most * factor, `${name} in ${unit}`);
  list.forEach((bar, i) => {
    const y = top + height * i + (isWide ? (height - thick) / 2 : 17);
    let x = left;
    for (const [kind, seconds, tip] of bar.parts) {
      const size = (right - left) * seconds / most;
      if (size > 0.05) {
        content += `<rect class="bar" x="${x.toFixed(2)}" y="${y}" width="${size.toFixed(2)}" height="${thick}" ` +
          `fill="${fill(kind)}" data-tip="${escape(tip)}"/>`;
      }
      x += size;
    }
    const middle = isWide ? y + thick / 2 + 4 : y - 4;
    content += `<text x="${isWide ? left - 8 : left}" y="${middle}" text-anchor="${isWide ? "end" : "start"}">` +
      `${escape(isWide ? bar.label : fit(bar.label, width - notes - 40))}</text>`;
    if (bar.note) {
      content += isWide ? `<text class="soft" x="${right + 8}" y="${middle}">${escape(bar.note)}</text>`
        : `<text class="soft" x="${right}" y="${middle}" text-anchor="end">${escape(bar.note)}</text>`;
    }
  });
  return svg(width, bottom + 40, content);
}

// Nothing has the first shade, and the most the last one
function shadeOf(share) {
  return share <= 0 ? 0 : Math.min(SHADES - 1, 1 + Math.floor(share * (SHADES - 1) * 0.999999));
}

// Cells of equal size as one path for each shade
function cells(paths, x, y, width, height, shade) {
  paths[shade] = (paths[shade] || "") +
    `M${x.toFixed(1)} ${y.toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}h-${width.toFixed(1)}z`;
}

function shadeHtml(paths) {
  return Object.entries(paths).map(([shade, path]) => `<path d="${path}" fill="var(--h${shade})"/>`).join("");
}

function scaleHtml(least, most, more) {
  const steps = Array.from({length: SHADES}, (_, i) => `<i style="background:var(--h${i})"></i>`).join("");
  return `<div class="scale"><span>${escape(least)}</span><span class="steps">${steps}</span>` +
    `<span>${escape(most)}</span>${more || ""}</div>`;
}

const ofNet = net => net.network === net.fabric.split(":")[0] ? "" : ` of ${net.network}`;
const cardsIn = id => add(document.getElementById(id), '<div class="cards"></div>');
const number = (row, key) => Number(row[key] || 0);
const partsOf = row => KINDS.map(([kind, name]) => [kind, number(row, kind + "_s"), name])
  .filter(([, seconds]) => seconds > 0);
const kindsIn = rows => KINDS.filter(([kind]) => rows.some(row => number(row, kind + "_s") > 0));

function showRun() {
  const facts = Object.fromEntries(rowsOf("run").map(row => [row.name, row.value]));
  document.querySelector("h1").textContent = document.title = facts.Title || "Training job";
  document.querySelector(".lead").textContent = facts.Summary || "";
  const rows = rowsOf("run").filter(row => row.name !== "Title" && row.name !== "Summary");
  add(document.getElementById("run"), '<div class="card"><table class="facts"><tbody>' + rows.map(row =>
    `<tr><th>${escape(row.name)}</th><td>${escape(row.value)}</td></tr>`).join("") + "</tbody></table></div>");
}

function showResult() {
  const section = document.getElementById("result"), rows = rowsOf("results");
  const tiles = add(section, '<div class="tiles"></div>');
  const costs = Object.fromEntries(rowsOf("costs").map(row => [row.fabric, row]));
  for (const row of rows) {
    const iteration = number(row, "iteration_s");
    const share = iteration > 0 ? `${percent(number(row, "compute_s") / iteration)} compute, ` +
      `${percent(number(row, "exposed_s") / iteration)} exposed communication` : "No iteration has ended";
    const light = row.feasible.startsWith("no") ? `<br>Not feasible: ${escape(row.feasible.slice(4))}` : "";
    const cost = costs[row.fabric];
    const answers = [row.mfu ? `MFU ${percent(number(row, "mfu"))}` : "", !cost ? "" : cost.iteration_usd ?
      `$${digits(1000 * number(cost, "iteration_usd"))} for 1000 iterations` :
      `$${digits(number(cost, "network_usd"))} for the network`].filter(text => text).join(", ");
    add(tiles, `<div class="tile"><div class="name">${escape(row.fabric)}</div><div class="value">` +
      `${time(iteration)}</div><div class="more">${answers ? answers + "<br>" : ""}${share}${light}</div></div>`);
  }
  const heads = ["Fabric", "Iteration", "Feasible", "First", "Compute", "Bubble", "Exposed comm.", "Dark", "Lightpaths",
    "Bytes sent", "Remark"];
  const first = rows.find(row => number(row, "iteration_s") > 0) || rows[0];
  const base = number(first, "iteration_s");
  const lines = rows.map(row => [row.fabric, time(number(row, "iteration_s")), row.feasible,
    ...["first_s", "compute_s", "bubble_s", "exposed_s", "dark_s"].map(key => time(number(row, key))),
    digits(number(row, "lightpaths")), scaled(number(row, "bytes_sent"), "B"), row.remark]);
  if (rows.length > 1) {
    heads.splice(2, 0, "Speed");
    lines.forEach((line, i) => line.splice(2, 0, digits(base / number(rows[i], "iteration_s")) + " x"));
  }
  if (rows.every(row => !row.remark)) {
    heads.pop();
    lines.forEach(line => line.pop());
  }
  for (const [name, key, show] of [["MFU", "mfu", percent], ["Tokens/s", "tokens_per_s", digits],
    ["Samples/s", "samples_per_s", digits]]) {
    if (rows.some(row => row[key])) {
      heads.splice(2, 0, name);
      lines.forEach((line, i) => line.splice(2, 0, rows[i][key] ? show(number(rows[i], key)) : "–"));
    }
  }
  const more = (rows.length > 1 ? ` Speed is relative to ${escape(first.fabric)}.` : "") +
    [...new Set(rows.map(row => row.validation).filter(text => text))].map(text => ` Simulated ${escape(text)}.`).join("");
  add(section, `<div class="card">${tableHtml(heads, lines)}<p class="note">Dark: time of the whole run in which ` +
    `circuits were switched.${more}</p></div>`);
  showCosts(section);
  const parts = rows.filter(row => number(row, "iteration_s") > 0);
  if (parts.length > 1) {
    section.append(document.createElement("p"));
    chart(section, {
      title: "Time of an iteration by fabric, mean over ranks",
      hint: "Each bar is one fabric. The shorter the bar, the faster the training.",
      keys: legend(kindsIn(parts)),
      draw: width => bars(width, parts.map(row => ({
        label: row.fabric, note: time(number(row, "iteration_s")),
        parts: partsOf(row).map(([kind, seconds, name]) => [kind, seconds, `${row.fabric}\n${name}: ${time(seconds)}`])
      })), Math.max(...parts.map(row => number(row, "iteration_s"))), "Time of an iteration"),
      heads: ["Fabric", ...kindsIn(parts).map(([, name]) => name + ", s")],
      rows: () => parts.map(row => [row.fabric, ...kindsIn(parts).map(([kind]) => row[kind + "_s"])])
    });
  }
}

function showCosts(section) {
  const rows = rowsOf("costs");
  if (rows.length === 0) return;
  const shown = (row, key, unit) => row[key] ? scaled(number(row, key), unit) : "–";
  const lines = rows.map(row => [row.fabric, shown(row, "network_w", "W"), "$" + digits(number(row, "network_usd")),
    ...["iteration_j", "network_j", "sample_j", "token_j"].map(key => shown(row, key, "J")),
    row.iteration_usd ? "$" + digits(1000 * number(row, "iteration_usd")) : "–"]);
  add(section, "<h3>Power and price</h3>");
  add(section, `<div class="card">${tableHtml(["Fabric", "Network", "Its price", "An iteration", "Its network",
    "A sample", "A token", "1000 iterations"], lines)}<p class="note">Energy is that of network and GPUs; 1000 ` +
    `iterations cost the share of both in their life, and electricity; nothing is shown if the price of a GPU is not ` +
    `known.</p></div>`);
}

// At most so many bars: neighbours share one, which has their means
function fold(rows) {
  const size = Math.ceil(rows.length / MOST_BARS);
  if (size <= 1) return rows;
  const folded = [];
  for (let i = 0; i < rows.length; i += size) {
    const group = rows.slice(i, i + size);
    const ranks = group.reduce((sum, row) => sum + number(row, "count"), 0);
    const mean = {ranks: group[0].ranks.split(/[- ]/)[0] + " …", count: ranks, isMean: true};
    for (const [kind] of KINDS) {
      mean[kind + "_s"] = group.reduce((sum, row) => sum + number(row, kind + "_s") * number(row, "count"), 0) / ranks;
    }
    folded.push(mean);
  }
  return folded;
}

function showRanks() {
  const host = cardsIn("ranks");
  const total = row => KINDS.reduce((sum, [kind]) => sum + number(row, kind + "_s"), 0);
  const most = Math.max(...rowsOf("ranks").map(total));
  for (const run of runs) {
    const all = rowsOf("ranks", run), rows = fold(all), kinds = kindsIn(all);
    if (rows.length === 0) continue;
    const name = row => {
      const first = row.ranks.split(/[- ]/)[0];
      return number(row, "count") === 1 ? `rank ${first}`
        : row.isMean ? `${row.count} ranks from ${first}` : `rank ${first} and ${row.count - 1} ${row.count > 2 ? "others" : "other"}`;
    };
    chart(host, {
      title: `${run}: time of an iteration by rank`,
      hint: "Each bar is a rank, or several with equal times. Only the first part is useful work; all parts add up " +
        "to the iteration." + (rows === all ? "" : " Bars are means over neighbours."),
      keys: legend(kinds),
      draw: width => bars(width, rows.map(row => ({
        label: name(row),
        parts: partsOf(row).map(([kind, seconds, part]) => [kind, seconds,
          `${run}, ${name(row)}\n${part}: ${time(seconds)} (${percent(seconds / total(row))})`])
      })), most, "Time of an iteration"),
      heads: ["Ranks", "Number", ...kinds.map(([, part]) => part + ", s")],
      rows: () => all.map(row => [row.ranks, row.count, ...kinds.map(([kind]) => row[kind + "_s"])])
    });
  }
}

// Kinds of the critical path that are no parts of an iteration, and the colours that they have
const PATH_KINDS = {launch: ["other", "Launch of collectives"], darkness: ["circuits", "Switching of circuits"],
  unknown: ["bubble", "Unknown"]};

function pathKind(kind) {
  return PATH_KINDS[kind] || KINDS.find(([known]) => known === kind) || ["other", kind];
}

// The path over time: a line for each rank that it visits
function strip(width, rows, most) {
  const ranks = [...new Set(rows.map(row => number(row, "rank")))].sort((a, b) => a - b);
  const height = Math.max(3, Math.min(18, Math.floor(400 / ranks.length))), every = Math.ceil(15 / height);
  const unit = unitOf(most), top = 8, bottom = top + height * ranks.length;
  const left = widthOf("rank " + ranks[ranks.length - 1]) + 12, right = width - 18;
  let content = axis(left, right, top, bottom + 4, most * FACTORS[unit], `Time of the iteration in ${unit}`);
  ranks.forEach((rank, i) => {
    if (i % every === 0) {
      content += `<text x="${left - 8}" y="${top + height * (i + 0.5) + 4}" text-anchor="end">rank ${rank}</text>`;
    }
  });
  for (const row of rows) {
    const x = left + (right - left) * row.begin_s / most, size = (right - left) * (row.end_s - row.begin_s) / most;
    const [colour, name] = pathKind(row.kind);
    const way = row.peer === row.rank ? `rank ${row.rank}` : `rank ${row.rank} to ${row.peer}`;
    content += `<rect x="${x.toFixed(2)}" y="${top + height * ranks.indexOf(number(row, "rank")) + 1}" ` +
      `width="${Math.max(size, 0.2).toFixed(2)}" height="${height - (height > 6 ? 2 : 0)}" fill="${fill(colour)}" ` +
      `data-tip="${escape(`${row.name}\n${name}, ${way}: ${time(row.end_s - row.begin_s)}`)}"/>`;
  }
  return svg(width, bottom + 44, content);
}

function showPath() {
  if (rowsOf("path").length === 0) {
    document.getElementById("path").remove();
    return;
  }
  const host = cardsIn("path");
  const most = Math.max(...rowsOf("path").map(row => number(row, "end_s")));
  for (const run of runs) {
    const sums = rowsOf("path_sums", run), rows = rowsOf("path", run);
    if (rows.length === 0) continue;
    const total = sums.reduce((sum, row) => sum + number(row, "seconds"), 0);
    const longest = [...rows].sort((a, b) => b.end_s - b.begin_s - (a.end_s - a.begin_s)).slice(0, 10);
    const kinds = sums.map(row => pathKind(row.kind));
    chart(host, {
      title: `${run}: the critical path of the last iteration`,
      hint: "From left to right, the rank that computes or sends what everything waits for. Only what is on the path " +
        "makes the iteration longer.",
      keys: legend(kinds),
      draw: width => strip(width, rows, most),
      heads: ["Begin, s", "End, s", "Kind", "Rank", "Peer", "Task", "Bytes"],
      rows: () => rows.map(row => [row.begin_s, row.end_s, pathKind(row.kind)[1], row.rank, row.peer, row.name,
        row.bytes])
    });
    chart(host, {
      title: `${run}: what the critical path is spent on`,
      hint: "Each bar is a kind of work; the bars add up to the iteration. The longest parts are named below.",
      draw: width => bars(width, sums.map((row, i) => ({
        label: kinds[i][1], note: `${time(number(row, "seconds"))}, ${percent(number(row, "seconds") / total)}`,
        parts: [[kinds[i][0], number(row, "seconds"), `${kinds[i][1]}: ${time(number(row, "seconds"))}`]]
      })), Math.max(...sums.map(row => number(row, "seconds"))), "Time on the critical path"),
      heads: ["Time", "Kind", "Rank", "Peer", "Task"],
      rows: () => longest.map(row => [time(row.end_s - row.begin_s), pathKind(row.kind)[1], row.rank, row.peer,
        row.name])
    });
  }
}

function showTraffic() {
  const host = cardsIn("traffic");
  for (const net of rowsOf("networks").filter(row => row.ports > 0)) {
    const rows = rowsOf("traffic", net.fabric).filter(row => row.network === net.network);
    if (rows.length === 0) continue;
    const size = number(net, "ports_per_cell"), count = Math.ceil(net.ports / size);
    const most = Math.max(...rows.map(row => number(row, "bytes")));
    const lanes = rows.some(row => number(row, "lanes") > 0), isPlan = net.network === "plan";
    const place = width => {
      const left = widthOf(String(net.ports)) + 30;
      const cell = Math.max(5, Math.min(24, (Math.min(width, 620) - left - 8) / count));
      return {left, top: 6, cell};
    };
    const byCell = new Map(rows.map(row => [`${row.source} ${row.destination}`, row]));
    const range = first => size === 1 ? `port ${first}` : `ports ${first} to ${Math.min(net.ports, first + size) - 1}`;
    chart(host, {
      title: isPlan ? `${net.fabric}: bytes between GPUs in an iteration, as planned`
        : `${net.fabric}: bytes sent between ports${ofNet(net)}`,
      hint: "A row sends, a column receives; the darker or brighter a cell stands out, the more bytes." +
        (lanes ? " An outlined pair has a circuit at the end of the run." : "") +
        (size > 1 ? ` A cell is ${size} x ${size} ports.` : ""),
      keys: scaleHtml("0 B", scaled(most, "B"), lanes ? '<ul class="legend" style="margin:0"><li><i class="ring"></i>' +
        "circuit</li></ul>" : ""),
      draw: width => {
        const {left, top, cell} = place(width), edge = cell * count, paths = {0: ""};
        paths[0] = `M${left} ${top}h${edge.toFixed(1)}v${edge.toFixed(1)}h-${edge.toFixed(1)}z`;
        let rings = "";
        for (const row of rows) {
          const x = left + cell * row.destination / size, y = top + cell * row.source / size;
          const gap = cell > 8 ? 1 : 0.4;
          if (number(row, "bytes") > 0) cells(paths, x, y, cell - gap, cell - gap, shadeOf(row.bytes / most));
          if (number(row, "lanes") > 0) {
            const inner = (cell - gap - 1.4).toFixed(1);
            rings += `M${(x + 0.7).toFixed(1)} ${(y + 0.7).toFixed(1)}h${inner}v${inner}h-${inner}z`;
          }
        }
        let labels = "";
        const wide = Math.ceil((widthOf(String(net.ports)) + 12) / cell), high = Math.ceil(15 / cell);
        for (let i = 0; i < count; ++i) {
          const middle = cell * (i + 0.5);
          if (i % high === 0) {
            labels += `<text class="soft" x="${left - 5}" y="${top + middle + 4}" text-anchor="end">${i * size}</text>`;
          }
          if (i % wide === 0) {
            labels += `<text class="soft" x="${left + middle}" y="${top + edge + 15}" text-anchor="middle">` +
              `${i * size}</text>`;
          }
        }
        const middle = top + edge / 2;
        labels += `<text class="soft" x="${left + edge / 2}" y="${top + edge + 32}" text-anchor="middle">` +
          "destination port</text>" +
          `<text class="soft" transform="translate(11 ${middle}) rotate(-90)" text-anchor="middle">source port</text>`;
        return svg(Math.max(width, Math.ceil(left + edge + 8)), Math.max(Math.ceil(top + edge + 40), 110),
          shadeHtml(paths) + `<path class="ring" d="${rings}"/>` + labels);
      },
      tip: (event, box, width) => {
        const {left, top, cell} = place(width);
        const column = Math.floor((event.clientX - box.left - left) / cell);
        const line = Math.floor((event.clientY - box.top - top) / cell);
        if (column < 0 || line < 0 || column >= count || line >= count) return "";
        const row = byCell.get(`${line * size} ${column * size}`);
        return `${range(line * size)} to ${range(column * size)}\n${scaled(row ? number(row, "bytes") : 0, "B")}` +
          (row && number(row, "lanes") > 0 ? `\nlanes: ${row.lanes}` : "");
      },
      heads: ["Source", "Destination", "Bytes", "Lanes"],
      rows: () => rows.map(row => [row.source, row.destination, row.bytes, row.lanes])
    });
  }
}

const shareOf = (row, bin) => number(row, "capacity_bps") > 0 ? row[bin] * 1e9 / row.capacity_bps : 0;
const BINS = tables.utilisation ? tables.utilisation.heads.filter(head => /^b\d+$/.test(head)) : [];
// One scale for all charts, so that they can be compared
const mostUse = rowsOf("utilisation").reduce((most, row) => BINS.reduce((most, bin) =>
  Math.max(most, shareOf(row, bin)), most), 0) || 1;
const TRACKS = {"port-out": ["ports that send", "port"], "port-in": ["ports that receive", "port"],
  lightpath: ["lightpaths", "lightpath"], link: ["links", "link"]};

function showUse(host, net, kind) {
  const all = rowsOf("utilisation", net.fabric).filter(row => row.network === net.network && row.kind === kind);
  const rows = all.filter(row => row.b0 !== "");
  if (rows.length === 0) return;
  const bins = BINS.filter(bin => rows[0][bin] !== "");
  const width_s = number(rows[0], "bin_s"), end = width_s * bins.length;
  const shares = rows.map(row => bins.map(bin => shareOf(row, bin)));
  const unit = unitOf(end), height = rows.length > 24 ? 8 : 16, every = height < 15 ? 2 : 1;
  const place = width => {
    const longest = Math.max(...rows.map(row => widthOf(row.name)));
    const left = Math.min(longest, Math.max(60, width * 0.35)) + 8;
    return {left, top: 4, right: width - 18};
  };
  const left = all.length - rows.length;
  chart(host, {
    title: `${net.fabric}: use of ${TRACKS[kind][0]}${ofNet(net)}, in % of their rate`,
    hint: `Each row is a ${TRACKS[kind][1]}, time runs to the right; what stands out is busy, what fades is idle.` +
      (left > 0 ? " These are the busiest; the file has more." : ""),
    keys: scaleHtml("0 %", percent(mostUse)),
    draw: width => {
      const {left, top, right} = place(width), bottom = top + height * rows.length, step = (right - left) / bins.length;
      const paths = {};
      let labels = "";
      rows.forEach((row, i) => {
        const y = top + height * i;
        // Neighbours of one shade are one cell
        for (let j = 0, next; j < bins.length; j = next) {
          const shade = shadeOf(shares[i][j] / mostUse);
          for (next = j + 1; next < bins.length && shadeOf(shares[i][next] / mostUse) === shade; ++next);
          cells(paths, left + step * j, y, step * (next - j), height - (height > 10 ? 1 : 0.4), shade);
        }
        if (i % every === 0) {
          labels += `<text x="${left - 6}" y="${y + height / 2 + 4}" text-anchor="end">` +
            `${escape(fit(row.name, left - 8))}</text>`;
        }
      });
      return svg(width, bottom + 40 + (every - 1) * 4,
        axis(left, right, top, bottom + (every - 1) * 4, end * FACTORS[unit], `Time of the run in ${unit}`) +
        shadeHtml(paths) + labels);
    },
    tip: (event, box, width) => {
      const {left, top, right} = place(width);
      const i = Math.floor((event.clientY - box.top - top) / height);
      const j = Math.floor((event.clientX - box.left - left) / (right - left) * bins.length);
      if (i < 0 || i >= rows.length || j < 0 || j >= bins.length) return "";
      return `${rows[i].name}\n${time(j * width_s)} to ${time((j + 1) * width_s)}\n` +
        `${scaled(rows[i][bins[j]] * 1e9, "bit/s")} (${percent(shares[i][j])})`;
    },
    heads: [TRACKS[kind][1], "Rate, bit/s", "Bytes", "Mean use, %"],
    rows: () => all.map(row => [row.name, row.capacity_bps, row.bytes, row.mean_percent])
  });
}

function showUtilisation() {
  const section = document.getElementById("utilisation"), host = cardsIn("utilisation");
  const nets = rowsOf("networks").filter(row => row.network !== "plan");
  for (const net of nets) {
    for (const kind of ["port-out", "lightpath", "link"]) showUse(host, net, kind);
  }
  const more = add(section, '<details class="more"><summary>Ports that receive</summary><div class="cards"></div>' +
    "</details>");
  for (const net of nets) showUse(more.lastElementChild, net, "port-in");
  if (more.lastElementChild.children.length === 0) more.remove();
  const omitted = rowsOf("networks").reduce((sum, row) => sum + number(row, "omitted"), 0);
  if (omitted > 0) {
    add(section, `<p class="note">${digits(omitted)} lightpaths are too many to be shown: their ports show them ` +
      "together.</p>");
  }
}

function showPrediction() {
  if (rowsOf("prediction").length === 0) {
    document.getElementById("prediction").remove();
    return;
  }
  const host = cardsIn("prediction");
  for (const run of runs) {
    const rows = rowsOf("prediction", run);
    if (rows.length === 0) continue;
    const list = [];
    for (const row of rows) {
      for (const [kind, key] of [["predicted", "predicted_s"], ["simulated", "simulated_s"]]) {
        const seconds = number(row, key);
        list.push({label: `${row.part}, ${kind}`, note: time(seconds),
          parts: [[kind, seconds, `${row.part}, ${kind}: ${time(seconds)}`]]});
      }
    }
    const most = Math.max(...list.map(bar => bar.parts[0][1]));
    chart(host, {
      title: `${run}: prediction of an iteration and simulation`,
      hint: "Bars of a pair of equal length mean that the planner was right.",
      keys: legend([["predicted", "Predicted"], ["simulated", "Simulated"]]),
      draw: width => bars(width, list, most, "Time in an iteration"),
      heads: ["Part", "Predicted, s", "Simulated, s"],
      rows: () => rows.map(row => [row.part, row.predicted_s, row.simulated_s])
    });
    const groups = rowsOf("groups", run);
    if (groups.length > 0) {
      add(host, `<div class="card"><h3>${escape(run)}: communication of an iteration, as predicted</h3>` +
        '<p class="note">Of the rank that spends most time on it. Compute may hide some of it.</p>' + tableHtml(
        ["Group", "Bytes", "Under way", "Slowest rate"], groups.map(row => [row.group,
          scaled(number(row, "bytes"), "B"), time(number(row, "under_way_s")),
          number(row, "slowest_bps") > 0 ? scaled(number(row, "slowest_bps"), "bit/s") : "–"])) + "</div>");
    }
  }
}

function showNumbers() {
  const files = add(document.getElementById("numbers"), '<div class="files"></div>');
  for (const name of Object.keys(tables)) {
    add(files, `<button type="button">${escape(name)}.csv</button>`).addEventListener("click", () => save(name));
  }
}

showRun();
showResult();
for (const show of [showRanks, showPath, showTraffic, showUtilisation, showPrediction, showNumbers]) show();
const nav = document.querySelector("nav");
for (const section of document.querySelectorAll("section")) {
  add(nav, `<a href="#${section.id}">${escape(section.firstElementChild.textContent)}</a>`);
}
