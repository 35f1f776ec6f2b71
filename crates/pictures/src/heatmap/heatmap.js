// Tells at once what is under the pointer, and marks its row and column.
const cells = document.querySelectorAll(".cell");
cells.forEach(cell => {
  cell.told = cell.firstElementChild.textContent;
  cell.firstElementChild.remove();
});
const marker = element(svg, "rect", {fill: "none", stroke: "#06c", "stroke-width": 2, visibility: "hidden", class: "nopointer"});
svg.addEventListener("mousemove", event => {
  const cell = event.target;
  if (!cell.told) {
    marker.setAttribute("visibility", "hidden");
    return unpoint();
  }
  ["x", "y", "width", "height"].forEach(a => marker.setAttribute(a, cell.getAttribute(a)));
  marker.setAttribute("visibility", "visible");
  point(event, cell.told.split(": "));
});
svg.addEventListener("mouseleave", unpoint);
