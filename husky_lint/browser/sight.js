// What a look at a live page asks of it. Runs in a world of its own: the page sees none of it, and nothing that the page
// does to its prototypes reaches here. Lengths are units of the scene's viewBox where it says so, else CSS pixels.
(() => {
  "use strict";
  const MOST_ELEMENTS = 20000;
  const MOST_TEXT = 160;
  const CONTROLS =
    "button, summary, select, a[href], input, [role=button], [role=radio], [role=tab], [role=switch], " +
    "[role=menuitem], [role=option], [role=checkbox], [tabindex], [onclick]";
  const COLOURS = [
    "color", "background-color", "background-image", "fill", "fill-opacity", "stroke", "opacity", "visibility",
    "display", "stop-color", "border-top-color", "filter",
  ];
  const numbers = new WeakMap();
  const controls = [];
  let stamped = "";
  let marks = new Map();
  let added = [];
  let observer = null;

  const told = (text) => String(text ?? "").replace(/\s+/g, " ").trim().slice(0, MOST_TEXT);
  const elements = (root) => Array.prototype.slice.call(root.getElementsByTagName("*"), 0, MOST_ELEMENTS);
  const isShown = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };

  // ---------------------------------------------------------------- the scene

  /** The svg that takes up most of the page. */
  function scene() {
    let best = null;
    let most = 0;
    for (const svg of document.querySelectorAll("svg")) {
      if (svg.ownerSVGElement) continue;
      const box = svg.getBoundingClientRect();
      if (box.width * box.height > most) {
        most = box.width * box.height;
        best = svg;
      }
    }
    return best;
  }

  /** Follows `svg>g:nth-child(3)>…` down from the scene; null where the tree is another one. */
  function follow(path) {
    let element = scene();
    for (const step of path.split(">").slice(1)) {
      const match = /^([\w-]+):nth-child\((\d+)\)$/.exec(step);
      element = match && element ? element.children[Number(match[2]) - 1] : null;
      if (!element || element.localName !== match[1]) return null;
    }
    return element;
  }

  /** Keeps elements under names; gives the names whose elements are not there. */
  function mark(paths) {
    marks = new Map();
    const lost = [];
    for (const [name, path] of Object.entries(paths)) {
      const element = follow(path);
      if (element) marks.set(name, element);
      else lost.push(name);
    }
    return lost;
  }

  function inUnits(root, box) {
    const ctm = root.getScreenCTM();
    if (!ctm || !ctm.a || !ctm.d) return null;
    return [(box.left - ctm.e) / ctm.a, (box.top - ctm.f) / ctm.d, box.width / ctm.a, box.height / ctm.d];
  }

  /** Where marked elements are, in units of the scene: x, y, width, height; null where there is nothing to see. */
  function boxes() {
    const root = scene();
    const found = {};
    for (const [name, element] of marks) {
      const box = element.getBoundingClientRect();
      found[name] = root && element.isConnected && (box.width || box.height) ? inUnits(root, box) : null;
    }
    return found;
  }

  // ---------------------------------------------------------------- animations

  const opacityOf = (element) => {
    let product = 1;
    for (let one = element; one instanceof Element; one = one.parentElement) {
      product *= Number(getComputedStyle(one).opacity);
    }
    return product;
  };

  function place(root, element) {
    const steps = [];
    for (let one = element; one && one !== root; one = one.parentElement) {
      steps.unshift(one.parentElement ? `${one.localName}:${Array.prototype.indexOf.call(one.parentElement.children, one) + 1}` : one.localName);
    }
    return steps.join(">");
  }

  function described(animation) {
    const effect = animation.effect;
    const timing = effect.getComputedTiming();
    const moved = new Map();
    for (const frame of effect.getKeyframes()) {
      for (const [name, value] of Object.entries(frame)) {
        if (["offset", "computedOffset", "easing", "composite"].includes(name)) continue;
        if (!moved.has(name)) moved.set(name, new Set());
        moved.get(name).add(value);
      }
    }
    return {
      name: animation.animationName ?? animation.transitionProperty ?? animation.id ?? "",
      transition: "transitionProperty" in animation,
      pseudo: effect.pseudoElement ?? "",
      duration: Number(timing.duration) / 1000,
      delay: timing.delay / 1000,
      endless: timing.iterations === Infinity,
      state: animation.playState,
      properties: Array.from(moved.keys()),
      changing: Array.from(moved).filter(([, values]) => values.size > 1).map(([name]) => name),
    };
  }

  const animationsOf = (root) =>
    document.getAnimations().filter((one) => one.effect?.target && (one.effect.target === root || root.contains(one.effect.target)));

  /** The animations of the scene's elements, by their place in it; `mark` is the name the element is kept under. */
  function animations() {
    const root = scene();
    if (!root) return [];
    const names = new Map();
    for (const [name, element] of marks) if (!names.has(element)) names.set(element, name);
    const about = (target) => ({ place: place(root, target), mark: names.get(target) ?? null, shown: isShown(target) });
    const styled = animationsOf(root).map((one) => ({ ...about(one.effect.target), ...described(one) }));
    const drawn = Array.from(root.querySelectorAll("animate, animateTransform, animateMotion, set"))
      .filter((one) => one.targetElement && one.targetElement !== root && root.contains(one.targetElement))
      .map((one) => ({ ...about(one.targetElement), ...smil(root, one) }));
    return [...styled, ...drawn];
  }

  /** An animation element of SVG, as `described` has one of CSS. */
  function smil(root, element) {
    const asked = (question) => {
      try {
        return question();
      } catch {
        return null; // it does not run, or has no duration
      }
    };
    const began = asked(() => element.getStartTime());
    const property = element.localName === "animate" || element.localName === "set" ? element.getAttribute("attributeName") ?? "" : "transform";
    const endless = element.getAttribute("repeatCount") === "indefinite" || element.getAttribute("repeatDur") === "indefinite";
    return {
      name: element.localName,
      transition: false,
      pseudo: "",
      duration: asked(() => element.getSimpleDuration()) ?? 0,
      delay: 0,
      endless,
      state: began === null ? "finished" : root.animationsPaused() ? "paused" : "running",
      properties: [property],
      changing: [property],
    };
  }

  /** Ends every transition, so that what is seen is what stays. */
  function settle() {
    let count = 0;
    for (const one of document.getAnimations()) {
      if ("transitionProperty" in one) {
        one.finish();
        count += 1;
      }
    }
    return count;
  }

  /** Waits for some frames to be drawn. */
  function frames(count) {
    return new Promise((done) => {
      const next = (left) => (left ? requestAnimationFrame(() => next(left - 1)) : done(true));
      next(count);
    });
  }

  /** Waits until every animation stands or runs as it was told to. */
  const ready = () => Promise.allSettled(document.getAnimations().filter((one) => one.pending).map((one) => one.ready)).then(() => true);

  /** Boxes of what is marked, at times of every running animation: each is taken there, and back. Seconds. */
  function boxesAt(seconds) {
    const running = document.getAnimations().filter((one) => one.playState === "running" && one.currentTime !== null);
    const before = running.map((one) => Number(one.currentTime));
    const found = seconds.map((at) => {
      running.forEach((one, index) => { one.currentTime = before[index] + at * 1000; });
      return boxes();
    });
    running.forEach((one, index) => { one.currentTime = before[index]; });
    return found;
  }

  // ---------------------------------------------------------------- controls

  function labelOf(element) {
    const labels = element.labels ? Array.from(element.labels, (one) => one.innerText) : [];
    return [element.getAttribute("aria-label"), element.getAttribute("title"), element.value, ...labels].map(told).filter(Boolean).join(" · ");
  }

  /** The controls that a person sees, in the order of the page. */
  function look() {
    const found = new Set(document.querySelectorAll(CONTROLS));
    const root = scene();
    for (const element of elements(document.body ?? document.documentElement)) {
      if (!(root && root.contains(element)) && element.childElementCount === 0 && getComputedStyle(element).cursor === "pointer") {
        if (!element.closest(CONTROLS)) found.add(element);
      }
    }
    const seen = Array.from(found).filter((one) => {
      const painted = one.localName === "input" && one.labels?.length ? one.labels[0] : one;
      return isShown(painted) && !one.disabled && !(one instanceof SVGElement && one.localName === "svg");
    });
    seen.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    return seen.slice(0, 200).map((element) => ({
      id: numberOf(element),
      tag: element.localName,
      text: told(element.innerText ?? element.textContent),
      label: labelOf(element),
      names: told(Array.from(element.attributes, (one) => (one.name === "style" || one.name === "onclick" ? "" : `${one.name} ${one.value}`)).join(" ")),
      inScene: Boolean(root && root.contains(element)),
      holders: holdersOf(element),
    }));
  }

  /** A number that stays the element's until the page is left. */
  function numberOf(element) {
    if (!numbers.has(element)) {
      numbers.set(element, controls.length);
      controls.push(element);
    }
    return numbers.get(element);
  }

  /** How the page spells its state, roughly: the attributes of what is around the scene. */
  function stamp() {
    const parts = [];
    for (let one = scene() ?? document.body; one; one = one.parentElement) {
      for (const { name, value } of one.attributes) parts.push(`${name}=${value}`);
    }
    return parts.join(" ");
  }

  /** Remembers the state that something is about to change; a list that keys would open loses the focus. */
  function brace() {
    if (document.activeElement?.localName === "select") document.activeElement.blur();
    stamped = stamp();
  }

  /** Ends the transitions under way; gives a page that answers to a press with its next frame the time for that. */
  async function answer() {
    settle();
    if (await sheets()) settle();
    if (stamp() !== stamped) return;
    await frames(1);
    settle();
  }

  const givenUp = new WeakSet();

  /** Waits for style sheets that a link has begun to fetch, a second at most; whether there was one. */
  async function sheets() {
    const links = Array.from(document.querySelectorAll('link[rel~="stylesheet" i][href]:not([disabled])'));
    const fetched = () => links.filter((link) => link.sheet?.href !== link.href && !givenUp.has(link));
    if (!fetched().length) return false;
    for (let turn = 0; turn < 50 && fetched().length; turn += 1) await new Promise((done) => { setTimeout(done, 20); });
    for (const link of fetched()) givenUp.add(link);
    return true;
  }

  function holdersOf(element) {
    const found = [];
    for (let one = element.parentElement; one; one = one.parentElement) found.push(told(`${one.className} ${one.id}`));
    return found.slice(0, 8);
  }

  /** Brings a control into view; gives the middle of it in the window, and whether a click there reaches it. */
  function aim(id) {
    const element = controls[id];
    if (!element || !element.isConnected) return null;
    const target = element.localName === "input" && !isShown(element) && element.labels?.length ? element.labels[0] : element;
    brace();
    target.scrollIntoView({ block: "center", behavior: "instant" });
    const box = target.getBoundingClientRect();
    const x = box.left + box.width / 2;
    const y = box.top + box.height / 2;
    const hit = document.elementFromPoint(x, y);
    return { x, y, reached: Boolean(hit && (target === hit || target.contains(hit) || hit.contains(target))) };
  }

  /** Chooses the option of a list that says one of some words; false where none does. */
  function pick(id, words) {
    const list = controls[id];
    const wanted = Array.from(list?.options ?? []).find((one) => words.some((word) => new RegExp(`\\b${word}\\b`, "i").test(`${one.text} ${one.value}`)));
    if (!wanted) return false;
    list.focus();
    list.value = wanted.value;
    for (const kind of ["input", "change"]) list.dispatchEvent(new Event(kind, { bubbles: true }));
    return true;
  }

  /** The middle of a marked element in the window. */
  function middle(name) {
    const element = marks.get(name);
    if (!element) return null;
    brace();
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const box = element.getBoundingClientRect();
    return box.width ? { x: box.left + box.width / 2, y: box.top + box.height / 2, reached: true } : null;
  }

  // ---------------------------------------------------------------- pixels

  const MAGENTA = "rgb(255, 0, 255)";
  let lone = [];

  /** Ends every animation, and shows of the scene only elements by their paths, before magenta; those not there. */
  function isolate(paths) {
    for (const one of document.getAnimations()) one.cancel();
    const root = scene();
    const lost = paths.filter((path) => !follow(path));
    const shown = new Set(paths.map(follow));
    lone = [[root, "visibility", "visible"], [root, "background", MAGENTA]];
    for (const element of elements(root)) {
      if (shown.has(element)) lone.push([element, "visibility", "visible"]);
      else if (!element.closest("clipPath, mask, defs, symbol, pattern, marker")) lone.push([element, "visibility", "hidden"]);
    }
    for (const [element, name, value] of lone) element.style.setProperty(name, value, "important");
    settle();
    return lost;
  }

  /** Shows the scene as it is again. */
  function restore() {
    for (const [element, name] of lone) element.style.removeProperty(name);
    lone = [];
    settle();
  }

  /** Where a rectangle of the scene (x, y, width, height in units) lies on the page, in CSS pixels. */
  function onPage(box) {
    const root = scene();
    root.scrollIntoView({ block: "center", behavior: "instant" });
    const ctm = root.getScreenCTM();
    return [box[0] * ctm.a + ctm.e, box[1] * ctm.d + ctm.f, box[2] * ctm.a, box[3] * ctm.d];
  }

  /** The pixels of a PNG, as base64 of rows of red, green, blue and alpha. */
  async function pixels(png) {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
    let text = "";
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    return { width: canvas.width, height: canvas.height, data: btoa(text) };
  }

  // ---------------------------------------------------------------- looks of the page

  /**
   * Colours of every element, by its place in the page, and last whether it has text of its own. What animations change
   * and the controls are left out.
   */
  function colours() {
    const found = {};
    const moving = new Set();
    const passing = new Set(); // what flies is gone before long
    for (const one of document.getAnimations()) {
      if (!one.effect?.target) continue;
      moving.add(one.effect.target);
      if (!("transitionProperty" in one) && one.effect.getComputedTiming().iterations !== Infinity) passing.add(one.effect.target);
    }
    for (const element of [document.documentElement, ...elements(document.documentElement)]) {
      if (element.closest("script, style, head, button, a, input, summary, label, select, [role=button], [role=switch]")) continue;
      const style = getComputedStyle(element);
      if (passing.has(element)) continue;
      const animated = moving.has(element);
      const own = COLOURS.map((name) => (animated && ["opacity", "visibility", "filter"].includes(name) ? "" : style.getPropertyValue(name)));
      const says = Array.from(element.childNodes).some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      found[place(null, element)] = [...own, says ? "says something" : ""];
    }
    return found;
  }

  /** What the canvas behind everything shows: the first of html and body that is not see-through. */
  function ground() {
    for (const element of [document.documentElement, document.body]) {
      if (!element) continue;
      const style = getComputedStyle(element);
      if (style.backgroundImage !== "none") return `${style.backgroundColor} ${style.backgroundImage}`;
      if (!/rgba\(.*, 0\)|transparent/.test(style.backgroundColor)) return style.backgroundColor;
    }
    return "";
  }

  const sky = () => [theme(), ground()];

  const theme = () => document.documentElement.getAttribute("data-theme");

  const icons = () =>
    Array.from(document.querySelectorAll("link[rel~=icon]")).filter((one) => !one.media || matchMedia(one.media).matches).map((one) => one.href);

  function stored() {
    const read = (store) => {
      try {
        return Object.fromEntries(Object.entries(window[store]).slice(0, 100).map(([key, value]) => [key, told(value)]));
      } catch {
        return {};
      }
    };
    let cookie = "";
    try {
      cookie = document.cookie;
    } catch { /* refused */ }
    return { local: read("localStorage"), session: read("sessionStorage"), cookie };
  }

  /** Puts localStorage into a state, `null` for an empty one. */
  function store(entries) {
    localStorage.clear();
    for (const [key, value] of Object.entries(entries ?? {})) localStorage.setItem(key, value);
  }

  /** Sets an attribute of the root, or takes it away. */
  function write(name, value) {
    if (value === null) document.documentElement.removeAttribute(name);
    else document.documentElement.setAttribute(name, value);
  }

  /** For each text: whether the page shows it, else why not. */
  function texts(wanted) {
    const found = {};
    for (const text of wanted) found[text] = sightOf(text);
    return found;
  }

  function sightOf(text) {
    let why = printedByStyle(text) ? "a style sheet prints it" : "it is not on the page";
    for (const range of rangesOf(text)) {
      const reason = hiddenBy(range.startContainer.parentElement, range) ?? valueHiddenBy(range);
      if (reason === null) return null;
      why = reason;
    }
    return why;
  }

  /** Why the text that follows a label is not seen; null where it is, or where nothing follows. */
  function valueHiddenBy(label) {
    const rest = label.endContainer.data.slice(label.endOffset);
    if (rest.trim()) return null; // of one text, and one colour, with the label
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    walker.currentNode = label.endContainer;
    let node = walker.nextNode();
    while (node && !node.data.trim()) node = walker.nextNode();
    if (!node || node.data.trim().endsWith(":") || ["SCRIPT", "STYLE"].includes(node.parentElement.tagName)) return null;
    const value = document.createRange();
    value.selectNodeContents(node);
    const reason = hiddenBy(node.parentElement, value);
    return reason && `of its value: ${reason}`;
  }

  /** Whether content that a style sheet generates ends in a text. */
  function printedByStyle(text) {
    return elements(document.body ?? document.documentElement).some((element) =>
      ["::before", "::after"].some((part) => {
        const content = getComputedStyle(element, part).content;
        return content.includes(text) || (content !== "none" && content !== "normal" && `${element.textContent}${content}`.replace(/["']/g, "").includes(text));
      }));
  }

  /** Where a text stands, across elements too. */
  function* rangesOf(text) {
    const walker = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
    const nodes = [];
    let whole = "";
    for (let node = walker.nextNode(); node && nodes.length < MOST_ELEMENTS; node = walker.nextNode()) {
      if (["SCRIPT", "STYLE"].includes(node.parentElement?.tagName)) continue;
      nodes.push([whole.length, node]);
      whole += node.data;
    }
    for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
      const index = nodes.findLastIndex(([start]) => start <= at);
      const range = document.createRange();
      const [start, node] = nodes[index];
      range.setStart(node, at - start);
      range.setEnd(node, Math.min(node.data.length, at - start + text.length));
      yield range;
    }
  }

  const channels = (colour) => {
    const found = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(colour);
    return found && [Number(found[1]), Number(found[2]), Number(found[3]), Number(found[4] ?? 1)];
  };

  const LEAST_CONTRAST = 1.2;

  /** The contrast ratio of two colours (WCAG 2). */
  function contrast(one, other) {
    const light = (colour) => {
      const [red, green, blue] = colour.slice(0, 3).map((channel) => (channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  /** The plain colour behind an element; "" where there is a picture, or a colour that is seen through. */
  function backgroundOf(element) {
    for (let one = element; one; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.backgroundImage !== "none") return "";
      const colour = channels(style.backgroundColor);
      if (!colour || (colour[3] > 0 && colour[3] < 1)) return "";
      if (colour[3] === 1) return style.backgroundColor;
    }
    return "rgb(255, 255, 255)";
  }

  function hiddenBy(element, range) {
    if (!element.checkVisibility({ visibilityProperty: true })) return "it is not displayed";
    if (opacityOf(element) < 0.05) return "it is see-through";
    const box = range.getBoundingClientRect();
    if (box.width < 1 || box.height < 4) return "it has no size";
    for (let one = element; one; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.clipPath !== "none" && /inset\((50|100)%/.test(style.clipPath)) return "it is clipped away";
      if (one !== document.body && one !== document.documentElement && /hidden|clip/.test(style.overflow)) {
        const around = one.getBoundingClientRect();
        if (box.right <= around.left || box.left >= around.right || box.bottom <= around.top || box.top >= around.bottom) return "it is clipped away";
      }
    }
    const colour = channels(getComputedStyle(element).color);
    if (colour && colour[3] < 0.05) return "its colour is see-through";
    const behind = channels(backgroundOf(element));
    if (colour && behind && contrast(colour, behind) < LEAST_CONTRAST) return "its colour is that of its background";
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const seen = range.getBoundingClientRect();
    const x = seen.left + Math.min(seen.width / 2, 20);
    const y = seen.top + seen.height / 2;
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return "it lies outside the page";
    const top = document.elementFromPoint(x, y);
    if (top && top !== element && !top.contains(element) && !element.contains(top) && getComputedStyle(top).opacity > 0.5) {
      return `<${top.localName}> covers it`;
    }
    return null;
  }

  /** The short texts outside the scene, each with what may be its name, the nearest first. */
  function readings() {
    const root = scene();
    const found = [];
    for (const element of elements(document.body ?? document.documentElement)) {
      if (element.childElementCount > 3 || (root && root.contains(element)) || ["script", "style"].includes(element.localName)) continue;
      const text = told(element.textContent);
      if (!text || text.length > 60 || !/\d/.test(text)) continue;
      const above = element.parentElement;
      const names = [
        Array.from(element.attributes, (one) => one.value).join(" "),
        element.previousSibling?.textContent,
        element.previousElementSibling?.textContent,
        element.nextSibling?.textContent,
        above ? `${Array.from(above.attributes, (one) => one.value).join(" ")} ${told(above.textContent).slice(0, 80)}` : "",
      ];
      found.push({ place: place(null, element), text, names: names.map(told) });
    }
    return found.slice(0, 300);
  }

  // ---------------------------------------------------------------- what script adds to the scene

  /** From here on keeps account of what is put into the scene. */
  function watch() {
    observer?.disconnect();
    added = [];
    observer = new MutationObserver(note);
    const root = scene();
    if (root) observer.observe(root, { childList: true, subtree: true });
    return Boolean(root);
  }

  function note(records) {
    for (const record of records) {
      for (const node of record.addedNodes) {
        if (node instanceof SVGElement && added.length < 2000) added.push({ element: node, into: record.target, flight: flight(node) });
      }
    }
  }

  /** The numbers of the animations that script gives an element: of each property the first, second … in all keyframes. */
  function flight(element) {
    const own = {};
    for (const one of element.getAnimations({ subtree: true })) {
      if (one instanceof CSSAnimation || one instanceof CSSTransition) continue;
      const { duration, delay } = one.effect.getTiming();
      Object.assign(own, { "flight duration": told(duration), "flight delay": told(delay) });
      for (const { offset, computedOffset, easing, composite, ...frame } of one.effect.getKeyframes()) {
        for (const [name, value] of Object.entries(frame)) {
          Array.from(String(value).matchAll(/-?\d*\.?\d+(?:e-?\d+)?/g)).slice(0, 20).forEach(([number], place) => {
            const key = place ? `flight ${name} ${place + 1}` : `flight ${name}`;
            own[key] = told(`${own[key] ?? ""} ${number}`);
          });
        }
      }
    }
    return own;
  }

  /** What was put into the scene since `watch` (and forgets it): what each is, and what makes it this one. */
  function watched() {
    if (observer) note(observer.takeRecords());
    const names = new Map();
    for (const [name, element] of marks) names.set(element, name);
    const found = added.map(({ element, into, flight: flown }) => {
      let around = into;
      const marked = [];
      for (; around; around = around.parentElement) if (names.has(around)) marked.push(names.get(around));
      const style = element.getAttribute("style") ?? "";
      const own = Object.fromEntries(Array.from(element.attributes).filter((one) => one.name !== "style").map((one) => [one.name, told(one.value)]));
      Object.assign(own, flown);
      for (const declaration of style.split(";")) {
        const at = declaration.indexOf(":");
        if (at > 0) own[declaration.slice(0, at).trim()] = told(declaration.slice(at + 1));
      }
      return { tag: element.localName, own, into: told(`${into.id} ${into.getAttribute("class") ?? ""}`), marked, there: element.isConnected };
    });
    return found;
  }

  const forget = () => { added = []; };

  /** Boxes and opacity of what was added and is there, at shares of each one's own animations. Units of the scene. */
  function tracks(shares) {
    if (observer) note(observer.takeRecords());
    const root = scene();
    return added.filter(({ element }) => element.isConnected).slice(0, 60).map(({ element }) => {
      const own = element.getAnimations({ subtree: true });
      const seen = shares.map((share) => {
        for (const one of own) {
          const timing = one.effect.getComputedTiming();
          const length = Number(timing.duration) * (timing.iterations === Infinity ? 1 : timing.iterations);
          one.pause();
          one.currentTime = timing.delay + length * share * 0.999;
        }
        const box = element.getBoundingClientRect();
        const shown = element.checkVisibility({ visibilityProperty: true });
        return { box: inUnits(root, box), opacity: shown ? opacityOf(element) : 0 };
      });
      return seen;
    });
  }

  /** How the boxes of what was added change with each custom property: its value raised by 30 px or half of it. */
  function answers(names) {
    const root = scene();
    return added.filter(({ element }) => element.isConnected).slice(0, 3).map(({ element }) => {
      const measured = () => inUnits(root, element.getBoundingClientRect());
      for (const one of element.getAnimations({ subtree: true })) {
        const timing = one.effect.getComputedTiming();
        one.pause();
        one.currentTime = timing.delay + Number(timing.duration) * 0.4;
      }
      const before = measured();
      const found = { transform: element.getAttribute("transform"), inline: element.style.transform, animated: element.getAnimations({ subtree: true }).some((one) => one.effect.getKeyframes().some((frame) => "transform" in frame || "translate" in frame)) };
      for (const name of names) {
        const value = element.style.getPropertyValue(name) || getComputedStyle(element).getPropertyValue(name);
        const number = /^\s*(-?[\d.]+)(.*)$/.exec(value);
        if (!number) {
          found[name] = null;
          continue;
        }
        const inline = element.style.getPropertyValue(name);
        element.style.setProperty(name, number[2] ? `${Number(number[1]) + 30}${number[2]}` : String(Number(number[1]) < 10 ? Number(number[1]) * 1.5 : Number(number[1]) + 30));
        const after = measured();
        found[name] = before && after ? after.map((one, index) => one - before[index]) : null;
        if (inline) element.style.setProperty(name, inline);
        else element.style.removeProperty(name);
      }
      return found;
    });
  }

  /** Whether pictures decode, how large they say they are, and how much of them is painted. */
  async function pictures(urls) {
    const found = {};
    for (const url of urls) {
      const image = new Image();
      image.src = `${url}?decoded`; // Playwright lets no request end in /favicon.ico
      try {
        await image.decode();
        const canvas = new OffscreenCanvas(32, 32);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0, 32, 32);
        const data = context.getImageData(0, 0, 32, 32).data;
        let painted = 0;
        for (let index = 3; index < data.length; index += 4) painted += data[index] > 16 ? 1 : 0;
        found[url] = { width: image.naturalWidth, height: image.naturalHeight, painted: painted / 1024 };
      } catch (error) {
        found[url] = { error: told(error.message) };
      }
    }
    return found;
  }

  /** The width and height that the root of an SVG file states; null where it is no SVG. */
  async function sizes(urls) {
    const found = {};
    for (const url of urls) {
      const answer = await fetch(url);
      const root = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
      found[url] = root.localName === "svg" && !root.querySelector("parsererror") ? [root.getAttribute("width"), root.getAttribute("height")] : null;
    }
    return found;
  }

  /** Whether a frame was painted, and what stands by then. */
  const painted = () => ({ paints: performance.getEntriesByType("paint").length, body: Boolean(document.body), theme: theme(), ground: ground() });

  const scrollsSideways = () => document.documentElement.scrollWidth - innerWidth;

  /** The answers to several questions, each a name and arguments, asked one after another. */
  async function all(asked) {
    const found = [];
    for (const [name, ...given] of asked) found.push(await globalThis.sight[name](...given));
    return found;
  }

  globalThis.sight = {
    all, scene: () => Boolean(scene()), mark, brace, answer, boxes, boxesAt, animations, settle, frames, ready, look, aim, pick, middle, colours, ground, sky, theme, icons,
    stored, store, write, texts, readings, watch, watched, forget, isolate, restore, onPage, pixels, tracks, answers, pictures, sizes, painted, scrollsSideways,
  };
})();
