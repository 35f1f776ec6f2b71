// A flame graph that can be zoomed and searched. It has the whole tree, and draws what is wide enough.
const ROW = 17, MARGIN = 10, NARROWEST = 0.5, CHAR = 7.25, PAD = 3;
let width = 1200;

class Graph {
  constructor(of) {
    Object.assign(this, of);
    this.group = document.getElementById(of.id);
    const count = this.count = of.frames.length / 3;
    this.depth = new Uint32Array(count);
    this.name = new Uint32Array(count);
    this.total = new Float64Array(count);
    this.before = new Float64Array(count);
    this.parent = new Int32Array(count);
    this.end = new Uint32Array(count); // the first frame behind all that is above it
    const open = [], used = [];
    for (let i = 0; i < count; i++) {
      const d = this.depth[i] = of.frames[3 * i];
      this.name[i] = of.frames[3 * i + 1];
      this.total[i] = of.frames[3 * i + 2];
      while (open.length > d) this.end[open.pop()] = i;
      this.parent[i] = d > 0 ? open[d - 1] : -1;
      this.before[i] = d > 0 ? used[d - 1] : 0;
      if (d > 0) used[d - 1] += this.total[i];
      used[d] = this.before[i];
      open.push(i);
    }
    while (open.length) this.end[open.pop()] = count;
    this.frames = null;
    this.zoomed = 0;
    this.current = 0;
    this.found = null; // by name: whether it matches
    this.group.setAttribute("tabindex", "0");
    this.group.setAttribute("role", "application");
    this.group.setAttribute("aria-label", "flame graph: arrow keys move, Enter zooms, Escape resets");
    this.group.addEventListener("click", e => this.at(e, i => { this.zoom(i); unpoint(); }));
    this.group.addEventListener("mousemove", e => this.at(e, i => point(e, this.told(i))) || unpoint());
    this.group.addEventListener("mouseleave", unpoint);
    this.group.addEventListener("keydown", e => this.key(e));
    this.group.addEventListener("focus", () => this.mark());
    this.group.addEventListener("blur", () => this.marker && this.marker.remove());
  }

  at(event, act) {
    const i = event.target.getAttribute("data-i");
    if (i !== null) act(+i);
    return i !== null;
  }

  told(i) {
    const lines = [this.names[this.name[i]][1], shown(this.total[i], this.unit) + ", " + percent(this.total[i], this.total[0])];
    if (this.parent[i] > 0) lines[1] += " of all, " + percent(this.total[i], this.total[this.parent[i]]) + " of " + this.names[this.name[this.parent[i]]][0];
    return lines;
  }

  // Where a frame stands: left edge and width; what is below the zoomed one is as wide as the picture.
  place(i) {
    const z = this.zoomed, room = width - 2 * MARGIN;
    if (i <= z && this.end[i] >= this.end[z]) return [MARGIN, room];
    const scale = room / this.total[z];
    return [MARGIN + (this.before[i] - this.before[z]) * scale, this.total[i] * scale];
  }

  y(i) {
    return this.top + this.height - (this.depth[i] + 1) * ROW;
  }

  draw() {
    const out = [];
    for (let i = this.zoomed; i >= 0; i = this.parent[i]) if (i !== this.zoomed) this.frame(out, i, true);
    for (let i = this.zoomed; i < this.end[this.zoomed];) {
      if (this.place(i)[1] < NARROWEST) i = this.end[i];
      else this.frame(out, i++, false);
    }
    this.group.innerHTML = out.join("");
    if (document.activeElement === this.group) this.mark();
  }

  frame(out, i, below) {
    const [x, w] = this.place(i), y = this.y(i), [label, , color] = this.names[this.name[i]];
    const fill = this.found && this.found[this.name[i]] ? "#e000e0" : color;
    out.push(`<g class="frame"><rect data-i="${i}" x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.1, w - 0.4).toFixed(1)}" height="${ROW - 1}" fill="${fill}"${below ? ' opacity="0.55"' : ""}/>`);
    const room = Math.floor((w - 2 * PAD) / CHAR);
    if (room >= 3) {
      const text = label.length > room ? label.slice(0, room - 1) + "…" : label;
      out.push(`<text x="${(x + PAD).toFixed(1)}" y="${y + 12}">${escaped(text)}</text>`);
    }
    out.push("</g>");
  }

  zoom(i) {
    this.zoomed = this.current = i;
    this.draw();
    tools();
  }

  // All that matches, each piece of the whole once.
  matched() {
    let sum = 0;
    for (let i = 0; i < this.count;) {
      if (this.found[this.name[i]]) { sum += this.total[i]; i = this.end[i]; } else i++;
    }
    return sum;
  }

  search(test) {
    this.found = test && this.names.map(([label, full]) => test(full) || test(label));
    this.draw();
    return this.found ? this.matched() : 0;
  }

  above(i) {
    let best = i;
    for (let c = i + 1; c < this.end[i]; c = this.end[c]) if (best === i || this.total[c] > this.total[best]) best = c;
    return best;
  }

  beside(i, step) {
    const p = this.parent[i];
    if (p < 0) return i;
    let last = i;
    for (let c = p + 1, before = i; c < this.end[p]; before = c, c = this.end[c]) {
      if (c === i && step < 0) last = before;
      if (before === i && step > 0 && c !== i) last = c;
    }
    return last;
  }

  key(event) {
    const i = this.current;
    switch (event.key) {
      case "ArrowUp": this.current = this.above(i); break;
      case "ArrowDown": this.current = Math.max(0, this.parent[i]); break;
      case "ArrowLeft": this.current = this.beside(i, -1); break;
      case "ArrowRight": this.current = this.beside(i, 1); break;
      case "Enter": case " ": this.zoom(i); break;
      case "Backspace": this.zoom(Math.max(0, this.parent[this.zoomed])); break;
      default: return;
    }
    event.preventDefault();
    this.mark();
  }

  mark() {
    if (this.marker) this.marker.remove();
    const i = this.current, [x, w] = this.place(i);
    this.marker = element(this.group, "rect", {
      x: x, y: this.y(i), width: Math.max(1, w), height: ROW - 1, fill: "none", stroke: "#000", "stroke-width": 2, class: "nopointer",
    });
    status(this.told(i).join(": "));
  }
}

const graphs = data.graphs.map(g => new Graph(g));

// The bar at the top right: search, reset, what was found.
const bar = element(svg, "g", {});
const search = element(bar, "text", {class: "tool", "text-anchor": "end", y: 20, tabindex: 0, role: "button", id: "search"}, "Search (/)");
const reset = element(bar, "text", {class: "tool", "text-anchor": "end", y: 20, tabindex: 0, role: "button", id: "reset", visibility: "hidden"}, "Reset (Esc)");
const told = element(bar, "text", {"text-anchor": "end", y: 38, id: "told", "aria-live": "polite"});
const field = element(bar, "foreignObject", {y: 4, width: 250, height: 26, visibility: "hidden"});
const input = document.createElementNS("http://www.w3.org/1999/xhtml", "input");
input.setAttribute("placeholder", "name or regular expression");
input.setAttribute("style", "width:240px;font:12px monospace");
field.appendChild(input);

function status(text) {
  told.textContent = text.length > 120 ? text.slice(0, 119) + "…" : text;
}

function tools() {
  const changed = graphs.some(g => g.zoomed > 0 || g.found);
  reset.setAttribute("visibility", changed ? "visible" : "hidden");
}

function find(text) {
  let test = null;
  if (text) {
    const plain = text.toLowerCase();
    test = s => s.toLowerCase().includes(plain);
    try {
      const pattern = new RegExp(text, "i");
      test = s => pattern.test(s);
    } catch (e) { /* no regular expression: the text itself */ }
  }
  const found = graphs.map(g => [g, g.search(test)]);
  status(test ? "matched: " + found.map(([g, sum]) => sum > 0 ? shown(sum, g.unit) + " (" + percent(sum, g.total[0]) + ")" : "nothing").join("; ") : "");
  tools();
}

function open(event) {
  if (event) event.preventDefault();
  field.setAttribute("visibility", "visible");
  search.setAttribute("visibility", "hidden");
  input.focus();
  input.select();
}

function close() {
  field.setAttribute("visibility", "hidden");
  search.setAttribute("visibility", "visible");
}

function again() {
  input.value = "";
  close();
  graphs.forEach(g => { g.zoomed = g.current = 0; });
  find("");
}

function layout() {
  width = Math.max(400, window.innerWidth - 2);
  const height = svg.getAttribute("height");
  svg.setAttribute("width", width);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  search.setAttribute("x", width - MARGIN);
  field.setAttribute("x", width - MARGIN - 250);
  reset.setAttribute("x", width - MARGIN - 260);
  told.setAttribute("x", width - MARGIN);
  document.querySelectorAll(".cut").forEach(e => e.remove());
  graphs.forEach(g => g.draw());
}

function button(element, act) {
  element.addEventListener("click", act);
  element.addEventListener("keydown", e => { if (e.key === "Enter" || e.key === " ") act(e); });
}

button(search, open);
button(reset, again);
input.addEventListener("input", () => find(input.value));
input.addEventListener("keydown", e => {
  if (e.key === "Enter" && !input.value) close();
  if (e.key === "Enter") input.blur();
});
document.addEventListener("keydown", e => {
  if (e.key === "Escape") again();
  else if (e.target !== input && (e.key === "/" || (e.key === "f" && (e.ctrlKey || e.metaKey)))) open(e);
});
window.addEventListener("resize", layout);
layout();
