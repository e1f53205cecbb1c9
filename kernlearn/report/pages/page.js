"use strict";
// Sorts and filters tables, shows what made a number, and opens all details for print. The page is complete without it.
(() => {
  const STEP = 100; // rows of a long table that are in the page at first, and with each step more
  const FEW = 12; // a table of fewer rows has no filter
  const words = new Intl.Collator("en", { numeric: true });

  function number(text) {
    const found = /[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?/i.exec(text);
    return found ? Number(found[0].replace(/,/g, "")) : NaN;
  }

  function make(name, text, attributes) {
    const one = document.createElement(name);
    one.textContent = text;
    for (const key in attributes) one.setAttribute(key, attributes[key]);
    return one;
  }

  class Sheet {
    constructor(table) {
      this.table = table;
      this.body = table.tBodies[0];
      this.rows = [...this.body.rows];
      this.matching = this.rows;
      this.limit = STEP;
      for (const head of table.tHead.rows[0].querySelectorAll("th")) this.sortable(head);
      if (this.rows.length >= FEW) this.filterable();
      this.box = table.parentNode;
      byBox.set(this.box, this);
      sizes.observe(this.box);
      this.box.addEventListener("scroll", () => this.edges(), { passive: true });
      if (this.rows.length > STEP) this.show();
    }

    sortable(head) {
      const button = make("button", "", { type: "button" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => this.sort(head));
    }

    sort(head) {
      const descending = head.getAttribute("aria-sort") === "ascending";
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const column = head.cellIndex;
      const isNumber = head.classList.contains("n");
      const keys = new Map(this.rows.map((row) => {
        const text = row.cells[column].textContent.trim();
        return [row, isNumber ? number(text) : text];
      }));
      const isEmpty = (key) => (isNumber ? Number.isNaN(key) : key === "");
      const sign = descending ? -1 : 1;
      this.rows.sort((one, other) => {
        const a = keys.get(one), b = keys.get(other);
        if (isEmpty(a) || isEmpty(b)) return isEmpty(a) - isEmpty(b); // last, whatever the direction
        return sign * (isNumber ? a - b : words.compare(a, b));
      });
      this.filter();
    }

    filterable() {
      const label = make("label", "Filter rows: ", {});
      this.input = make("input", "", { type: "search", autocomplete: "off", spellcheck: "false" });
      label.append(this.input);
      this.count = make("output", "", {});
      this.more = make("button", "Show more", { type: "button", hidden: "" });
      this.more.addEventListener("click", () => {
        this.limit += 5 * STEP;
        this.show();
        this.edges();
      });
      this.tool(label, this.count, this.more);
      this.input.addEventListener("input", () => {
        this.limit = STEP;
        this.filter();
      });
      this.say();
      (window.requestIdleCallback ?? setTimeout)(() => this.read()); // or else the first key would wait for it
    }

    tool(...elements) {
      if (!this.tools) {
        this.tools = make("div", "", { class: "tools" });
        this.table.parentNode.before(this.tools);
      }
      this.tools.append(...elements);
    }

    edges() {
      this.width();
      this.height();
    }

    // Says how many rows are below what the box shows; the button scrolls to them, and then back. It is at the lower
    // edge, where the rows are cut off.
    height() {
      const box = this.box;
      if (box.scrollHeight <= box.clientHeight + 1) {
        if (this.down) this.down.parentNode.hidden = true;
        return;
      }
      if (!this.down) {
        this.down = make("button", "", { type: "button" });
        this.down.addEventListener("click", () => {
          this.height(); // a scroll may not have been told yet
          if (!this.below) return box.scrollTo({ top: 0 });
          if (this.below === this.left()) this.more.click();
          box.scrollBy({ top: Math.max(box.clientHeight * 0.8, 80) });
        });
        const tools = make("div", "", { class: "tools under" });
        tools.append(this.down);
        box.after(tools);
      }
      const edge = box.getBoundingClientRect().top + box.clientTop + box.clientHeight + 1;
      const rows = this.body.rows;
      let shown = 0, end = rows.length; // of the rows in the page, the first one that ends below the edge
      while (shown < end) {
        const middle = (shown + end) >> 1;
        if (rows[middle].getBoundingClientRect().bottom > edge) end = middle;
        else shown = middle + 1;
      }
      this.below = this.matching.length - shown;
      this.down.parentNode.hidden = false;
      this.down.textContent = this.below
        ? `${this.below.toLocaleString("en")} more row${this.below > 1 ? "s" : ""} below ↓`
        : "↑ Back to the first rows";
    }

    // Says how many columns are to the right of what the box shows; the button scrolls to them, and then back.
    width() {
      const box = this.box;
      if (box.scrollWidth <= box.clientWidth + 1) {
        if (this.right) this.right.hidden = true;
        return;
      }
      if (!this.right) {
        this.right = make("button", "", { type: "button" });
        this.right.addEventListener("click", () => {
          if (this.beyond) box.scrollBy({ left: Math.max(box.clientWidth / 2, 80) });
          else box.scrollTo({ left: 0 });
        });
        this.tool(this.right);
      }
      const edge = box.getBoundingClientRect().left + box.clientLeft + box.clientWidth + 1;
      this.beyond = [...this.table.tHead.rows[0].cells].filter((cell) => cell.getBoundingClientRect().right > edge).length;
      this.right.hidden = false;
      this.right.textContent = this.beyond
        ? `${this.beyond} more column${this.beyond > 1 ? "s" : ""} to the right →`
        : "← Back to the first columns";
    }

    read() {
      this.texts ??= new Map(this.rows.map((row) => [row, row.textContent.toLowerCase()]));
    }

    filter() {
      const wanted = (this.input?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
      if (wanted.length) this.read();
      this.matching = wanted.length
        ? this.rows.filter((row) => wanted.every((word) => this.texts.get(row).includes(word)))
        : this.rows;
      this.show();
      this.edges();
    }

    // Returns the number of rows that are not in the page yet.
    left() {
      return this.matching.length - this.body.rows.length;
    }

    show(all = false) {
      this.body.replaceChildren(...(all ? this.matching : this.matching.slice(0, this.limit)));
      if (this.count) this.say();
    }

    say() {
      const n = this.matching.length, shown = Math.min(n, this.limit);
      this.count.textContent = `${n.toLocaleString("en")} of ${this.rows.length.toLocaleString("en")} rows`
        + (shown < n ? `, the first ${shown.toLocaleString("en")} shown` : "");
      this.more.hidden = shown === n;
    }
  }

  function pairs(row) {
    const heads = row.closest("table").tHead.rows[0].cells;
    return [...row.cells].map((cell, i) => [heads[i].textContent, cell.textContent]).filter((pair) => pair[1]);
  }

  // Shows the two rows that say what made a number.
  function open(link) {
    const run = link.hash.slice(1);
    const rows = [`${run}-${link.dataset.metric}`, run].map((id) => document.getElementById(id));
    if (!rows.every(Boolean)) return false;
    const dialog = make("dialog", "", { "aria-label": "What made this number" });
    const place = rows[0].closest("details");
    const list = make("dl", "", { class: "facts" });
    for (const [name, value] of [...pairs(rows[0]), ...pairs(rows[1]).slice(1)]) {
      list.append(make("dt", name, {}), make("dd", value, {}));
    }
    for (const one of place.querySelectorAll(":scope > dl > *")) list.append(one.cloneNode(true));
    const top = make("div", "", { class: "top" });
    const name = `${place.querySelector("summary").textContent}, ${rows[1].cells[0].textContent}`;
    const close = make("button", "Close", { type: "button" });
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      link.focus();
    });
    top.append(make("h2", name, {}), close);
    dialog.append(top, list);
    document.body.append(dialog);
    dialog.showModal();
    return true;
  }

  const sizes = new ResizeObserver((entries) => {
    for (const entry of entries) byBox.get(entry.target).edges();
  });
  const byBox = new Map();
  const sheets = [...document.querySelectorAll("table.sheet:has(> tbody)")].map((table) => new Sheet(table));

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-metric]");
    if (link && open(link)) event.preventDefault();
  });

  function unfold() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    target?.scrollIntoView();
  }
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();

  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const one of folded) one.open = true;
    for (const sheet of sheets) sheet.show(true);
  });
  addEventListener("afterprint", () => {
    for (const one of folded) one.open = false;
    for (const sheet of sheets) sheet.show();
  });
})();
