"use strict";
// What all pictures share: numbers with their units, and a box beside the pointer.
const NS = "http://www.w3.org/2000/svg";
const svg = document.documentElement;
const data = JSON.parse(document.getElementById("data").textContent);

function grouped(n) {
  return Math.floor(n).toLocaleString("en-US");
}

function scaled(n, units) {
  const [least, name] = units.find(([least]) => n >= least) || units[units.length - 1];
  const whole = n / least;
  if (least > 1 && whole < 100) {
    const digits = whole < 10 ? 2 : 1, factor = 10 ** digits;
    return (Math.floor(whole * factor) / factor).toFixed(digits) + " " + name;
  }
  return grouped(whole) + " " + name;
}

function shown(n, unit) {
  if (unit.ns) return scaled(n * unit.ns, [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]]);
  if (unit.bytes) return scaled(n, [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [1024, "KiB"], [1, "bytes"]]);
  if (!unit.things) return grouped(n);
  return grouped(n) + " " + (n === 1 ? unit.things.replace(/s$/, "") : unit.things);
}

function percent(part, whole) {
  const p = part * 100 / whole;
  return p >= 1 ? p.toFixed(1) + " %" : p >= 0.01 ? p.toFixed(2) + " %" : "under 0.01 %";
}

function element(parent, name, attributes, text) {
  const e = document.createElementNS(NS, name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  if (text !== undefined) e.textContent = text;
  parent.appendChild(e);
  return e;
}

function escaped(text) {
  return text.replace(/[<>&"]/g, c => ({"<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;"}[c]));
}

// A box beside the pointer.
const box = element(svg, "g", {class: "nopointer", visibility: "hidden"});
const paper = element(box, "rect", {rx: 3, fill: "#222", "fill-opacity": 0.92});

function point(event, lines) {
  while (box.childNodes.length > 1) box.lastChild.remove();
  lines.forEach((line, i) => {
    const t = element(box, "text", {x: 8, y: 18 + 16 * i}, line.length > 150 ? line.slice(0, 149) + "…" : line);
    t.style.fill = "#fff";
  });
  const width = Math.max(...Array.from(box.querySelectorAll("text"), t => t.getComputedTextLength())) + 16;
  const height = 16 * lines.length + 10;
  paper.setAttribute("width", width);
  paper.setAttribute("height", height);
  const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const right = svg.viewBox.baseVal.width || svg.width.baseVal.value;
  const bottom = svg.viewBox.baseVal.height || svg.height.baseVal.value;
  const x = Math.max(2, Math.min(p.x + 12, right - width - 2));
  const y = p.y + 18 + height > bottom ? p.y - height - 8 : p.y + 18;
  box.setAttribute("transform", `translate(${x},${Math.max(2, y)})`);
  box.setAttribute("visibility", "visible");
  svg.appendChild(box);
}

function unpoint() {
  box.setAttribute("visibility", "hidden");
}
