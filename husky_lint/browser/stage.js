// Runs in the page behind clock.js, before any script of the page. What is measured is measured in one go, by functions
// that were the browser's own before the page could touch them.
(() => {
  'use strict';
  const own = f => Function.prototype.call.bind(f);
  const getter = (owner, name) => own(Object.getOwnPropertyDescriptor(owner.prototype, name).get);
  const rectOf = own(Element.prototype.getBoundingClientRect);
  const boxOf = own(SVGGraphicsElement.prototype.getBBox);
  const matrixOf = own(SVGGraphicsElement.prototype.getScreenCTM);
  const styleOf = window.getComputedStyle.bind(window);
  const valueOf = own(CSSStyleDeclaration.prototype.getPropertyValue);
  const animationsOf = own(Document.prototype.getAnimations);
  const everything = document => Array.from(allOf(document, '*'));
  const allOf = own(Document.prototype.getElementsByTagName);
  const tailOf = getter(Node, 'nextSibling');
  const firstOf = getter(Node, 'firstChild');
  const parentOf = getter(Node, 'parentNode');
  const typeOf = getter(Node, 'nodeType');
  const textOf = getter(CharacterData, 'data');
  const rootOf = getter(Document, 'documentElement');
  const seek = own(Object.getOwnPropertyDescriptor(Animation.prototype, 'currentTime').set);
  const cancel = own(Animation.prototype.cancel);
  const hold = own(Animation.prototype.pause);
  const finish = own(Animation.prototype.finish);
  const atPoint = own(Document.prototype.elementFromPoint);
  const scrollTo = own(Element.prototype.scrollIntoView);
  const text = JSON.stringify;
  const parse = JSON.parse;
  const RealObserver = MutationObserver;
  const MOST_DRIVEN = 200;
  const {pass, isDue, waits, frame, now, pending} = window.__clock;

  // What earlier loads of the page kept would make this one another.
  try { localStorage.clear(); } catch { /* refused: then nothing is kept */ }
  try { sessionStorage.clear(); } catch { /* the same */ }
  try {
    for (const one of document.cookie.split(';')) {
      document.cookie = one.split('=')[0].trim() + '=;max-age=0';
      document.cookie = one.split('=')[0].trim() + '=;max-age=0;path=/';
    }
  } catch { /* the same */ }

  // ---- observers answer with a frame
  let observes = false;
  for (const name of ['IntersectionObserver', 'ResizeObserver']) {
    if (window[name]) {
      window[name] = new Proxy(window[name], {
        construct: (target, args, made) => { observes = true; return Reflect.construct(target, args, made); },
      });
    }
  }

  // ---- elements by number: a number once given stays
  const numbers = new WeakMap();
  const elements = [];
  const numberOf = element => {
    let number = numbers.get(element);
    if (number === undefined) {
      number = elements.length;
      numbers.set(element, number);
      elements.push(element);
    }
    return number;
  };

  // ---- transitions end at once; what else runs is put where it is wanted
  const running = () => animationsOf(document);
  const endTransitions = () => {
    for (let round = 0; round < 4; round += 1) {
      let found = false;
      for (const animation of running()) {
        if (animation instanceof CSSTransition) {
          found = true;
          try { finish(animation); } catch { cancel(animation); }
        }
      }
      if (!found) return;
      valueOf(styleOf(rootOf(document)), 'color');
    }
  };
  const SMIL = 'animate, animateTransform, animateMotion, set';
  const outermost = () => everything(document).filter(e => e.localName === 'svg' && !e.ownerSVGElement);
  const isHeld = animation => {
    if (!(animation instanceof CSSAnimation)) return false;
    const target = animation.effect && animation.effect.target;
    if (!target) return true;
    const style = styleOf(target, animation.effect.pseudoElement || null);
    const names = valueOf(style, 'animation-name').split(', ');
    const states = valueOf(style, 'animation-play-state').split(', ');
    const place = names.lastIndexOf(animation.animationName);
    return place >= 0 && states[place % states.length] === 'paused';
  };
  // The animations in the clone of a <use> are nobody's to ask for. But the clone has the inline style of the original:
  // a delay written there moves both alike.
  const cloned = () => {
    const roots = new Set();
    for (const use of document.querySelectorAll('use')) {
      const target = document.getElementById(use.href.baseVal.replace('#', ''));
      if (target) roots.add(target);
    }
    return element => {
      for (let one = element; one; one = one.parentElement) if (roots.has(one)) return true;
      return false;
    };
  };
  const listed = (style, name) => valueOf(style, name).split(', ');
  // A delay that is made of what each clone inherits is another in every clone: it is taken as it is written, by the
  // rule that wins. Null where no variable is in it, or where it cannot be read.
  const apart = text => text.split(/,(?![^([]*[)\]])/).map(part => part.trim());
  const weight = selector => {
    const told = selector.replace(/:where\([^)]*\)/g, '').replace(/:(?:is|not|has)\(/g, ' ');
    const count = pattern => (told.match(pattern) || []).length;
    return count(/#[\w-]/g) * 1e6 + count(/\.[a-z_-]|\[|(?<!:):(?!:)/gi) * 1e3 + count(/(?<![\w.#:[="'-])[a-z]/gi);
  };
  const rulesOf = function* (owner) {
    let rules = [];
    try { rules = owner.cssRules; } catch { /* another's */ }
    for (const rule of rules) {
      if (rule.selectorText) yield rule;
      else if (rule.cssRules && (!rule.media || matchMedia(rule.media.mediaText).matches)) yield* rulesOf(rule);
    }
  };
  const writtenDelays = element => {
    const found = [[element.style, 1e12]];
    for (const sheet of document.styleSheets) {
      if (sheet.disabled || !matchMedia(sheet.media.mediaText || 'all').matches) continue;
      for (const rule of rulesOf(sheet)) {
        const heavy = Math.max(-1, ...apart(rule.selectorText).filter(one => {
          try { return element.matches(one); } catch { return false; }
        }).map(weight));
        if (heavy >= 0) found.push([rule.style, heavy]);
      }
    }
    let best = null;
    let most = -1;
    for (const [style, heavy] of found) {
      const own = valueOf(style, 'animation-delay');
      const value = own || valueOf(style, 'animation');
      const rank = heavy + (style.getPropertyPriority(own ? 'animation-delay' : 'animation') ? 1e13 : 0);
      if (value && rank >= most) { most = rank; best = own; }
    }
    return best && best.includes('var(') ? apart(best) : null;
  };
  const written = new Map();
  const write = (element, name, value) => {
    if (!written.has(element)) written.set(element, element.getAttribute('style'));
    element.style.setProperty(name, value, 'important');
  };
  const restore = () => {
    for (const [element, text] of written) {
      if (text === null) element.removeAttribute('style'); else element.setAttribute('style', text);
    }
    written.clear();
  };
  const inClones = () => {
    const isCloned = cloned();
    const found = new Set();
    for (const animation of running()) {
      const target = animation.effect && !animation.effect.pseudoElement && animation.effect.target;
      if (target && animation instanceof CSSAnimation && isCloned(target)) found.add(target);
    }
    return found;
  };
  // What script does to animations itself no style says: whether it holds them, and where those that it makes begin.
  const doings = new WeakMap();
  const doing = animation => doings.get(animation) || {at: 0};
  const noted = (name, change) => {
    const original = own(Animation.prototype[name]);
    Animation.prototype[name] = function () {
      const answer = original(this);
      doings.set(this, {...doing(this), ...change(this)});
      return answer;
    };
  };
  noted('pause', () => ({held: true}));
  noted('play', () => ({held: false}));
  noted('cancel', () => ({held: false, at: 0}));
  noted('finish', one => ({held: false, at: one.effect ? one.effect.getComputedTiming().endTime : 0}));
  const time = Object.getOwnPropertyDescriptor(Animation.prototype, 'currentTime');
  Object.defineProperty(Animation.prototype, 'currentTime', {...time, set(value) {
    seek(this, value);
    doings.set(this, {...doing(this), at: Number(value) || 0});
  }});
  // A function that puts everything at t seconds after the state began: animations that the style pauses stay at 0.
  const stager = (starts = new Map(), from = 0) => {
    restore();
    endTransitions();
    const originals = new Map();
    for (const element of inClones()) {
      const style = styleOf(element);
      const states = listed(style, 'animation-play-state');
      const delays = writtenDelays(element) || listed(style, 'animation-delay');
      originals.set(element, listed(style, 'animation-name').map((name, place) => [
        delays[place % delays.length], states[place % states.length] === 'paused']));
    }
    const moving = running().filter(a => !(a instanceof CSSTransition)).map(a => {
      if (!starts.has(a)) starts.set(a, from);
      const target = a.effect && !a.effect.pseudoElement && a.effect.target;
      return [a, originals.has(target) || isHeld(a), starts.get(a)];
    });
    const svgs = outermost().filter(svg => svg.querySelector(SMIL));
    for (const svg of svgs) svg.pauseAnimations();
    return t => {
      for (const [element, delays] of originals) {
        write(element, 'animation-delay', delays.map(([delay, held]) => `calc(${delay} - ${held ? 0 : t}s)`).join());
      }
      for (const [animation, held, begin] of moving) {
        const css = animation instanceof CSSAnimation;
        const own = doing(animation), at = css ? 0 : own.at, rate = css ? 1 : animation.playbackRate;
        const stays = own.held === undefined ? held : own.held;
        try { seek(animation, stays ? at : at + (t - begin) * 1000 * rate); } catch { /* one that has gone */ }
      }
      for (const svg of svgs) svg.setCurrentTime(t);
    };
  };

  // ---- what is there
  const NAMESPACES = {'http://www.w3.org/1999/xhtml': 0, 'http://www.w3.org/2000/svg': 1};
  const snapshot = () => {
    const found = [];
    const stack = [[rootOf(document), -1]];
    while (stack.length && found.length < 30000) {
      const [element, parent] = stack.pop();
      const attributes = [];
      for (const attribute of element.attributes) {
        attributes.push(attribute.namespaceURI ? `{${attribute.namespaceURI}}${attribute.localName}` : attribute.name,
          attribute.value);
      }
      const texts = [''];
      const children = [];
      for (let child = firstOf(element); child; child = tailOf(child)) {
        const type = typeOf(child);
        if (type === 1) { children.push(child); texts.push(''); }
        else if (type === 3 || type === 4) texts[texts.length - 1] += textOf(child);
      }
      const place = found.length;
      const namespace = NAMESPACES[element.namespaceURI];
      found.push([numberOf(element), parent, namespace === undefined ? element.namespaceURI : namespace,
        element.localName, attributes, texts.some(text => text) ? texts : []]);
      for (let i = children.length - 1; i >= 0; i -= 1) stack.push([children[i], place]);
    }
    return found;
  };

  const attributesNow = () => new Map(snapshot().map(([number, , , , attributes]) =>
    [number, new Map(attributes.flatMap((name, i) => i % 2 ? [] : [[name, attributes[i + 1]]]))]));

  // The values of properties without animations, by element: indices into one table of distinct texts.
  const styles = (names, customs) => {
    const table = [];
    const index = new Map();
    const code = text => {
      let place = index.get(text);
      if (place === undefined) { place = table.length; index.set(text, place); table.push(text); }
      return place;
    };
    const rows = [];
    const own = [];
    for (const element of everything(document)) {
      const style = styleOf(element);
      const row = [numberOf(element)];
      for (const name of names) row.push(code(valueOf(style, name)));
      rows.push(row);
      const parent = element.parentElement;
      const above = parent && styleOf(parent);
      for (const name of customs) {
        const value = valueOf(style, name);
        if (!above || value !== valueOf(above, name)) own.push([numberOf(element), name, value]);
      }
    }
    return {table, rows, own};
  };

  const encode = numbers => {
    const bytes = new Uint8Array(numbers.buffer);
    let text = '';
    for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return btoa(text);
  };
  const isGraphic = element => element instanceof SVGGraphicsElement;
  const inverse = m => {
    const det = m.a * m.d - m.b * m.c;
    return [m.d / det, -m.b / det, -m.c / det, m.a / det, (m.c * m.f - m.d * m.e) / det, (m.b * m.e - m.a * m.f) / det];
  };

  // Boxes in scene units, matrices into the scene's space, local boxes, for elements by number.
  const measureAt = (values, at, scene, boxes, matrices, locals) => {
    const s = matrixOf(scene);
    const [ia, ib, ic, id, ie, jf] = inverse(s);
    const straight = s.b === 0 && s.c === 0;
    for (const element of boxes) {
      const r = rectOf(element);
      if (!straight) { values[at++] = NaN; values[at++] = NaN; values[at++] = NaN; values[at++] = NaN; continue; }
      values[at++] = (r.x - s.e) / s.a; values[at++] = (r.y - s.f) / s.d;
      values[at++] = r.width / s.a; values[at++] = r.height / s.d;
    }
    for (const element of matrices) {
      const m = isGraphic(element) ? matrixOf(element) : null;
      if (!m) { for (let i = 0; i < 6; i += 1) values[at++] = NaN; continue; }
      values[at++] = ia * m.a + ic * m.b; values[at++] = ib * m.a + id * m.b;
      values[at++] = ia * m.c + ic * m.d; values[at++] = ib * m.c + id * m.d;
      values[at++] = ia * m.e + ic * m.f + ie; values[at++] = ib * m.e + id * m.f + jf;
    }
    for (const element of locals) {
      let b = null;
      try { b = isGraphic(element) ? boxOf(element) : null; } catch { /* not rendered */ }
      values[at++] = b ? b.x : NaN; values[at++] = b ? b.y : NaN;
      values[at++] = b ? b.width : NaN; values[at++] = b ? b.height : NaN;
    }
    return at;
  };

  const withoutAnimations = work => {
    endTransitions();
    const moving = running();
    for (const animation of moving) cancel(animation);
    const removed = Array.from(document.querySelectorAll(SMIL), e => [e, parentOf(e), tailOf(e)]);
    for (const [element] of removed) element.remove();
    try { return work(); } finally {
      for (const [element, parent, before] of removed.reverse()) parent.insertBefore(element, before);
      for (const animation of moving) hold(animation);  // alive again, at its beginning
    }
  };

  const stage = Object.freeze({
    // Let what is due happen, see to it that nothing is under way, and say what is there. What the page has put off for
    // once is given the time until `late`: what has another look by then is driven by script.
    settle: async (ms, watch, late) => {
      if (observes) await frame(2);
      endTransitions();
      await pass(ms);
      const driven = [];
      if (late > ms && waits()) {
        const before = attributesNow();
        await pass(late - ms);
        for (const [number, attributes] of attributesNow()) {
          const had = before.get(number);
          if (!had) continue;
          for (const name of new Set([...had.keys(), ...attributes.keys()])) {
            if (had.get(name) !== attributes.get(name)) driven.push([elements[number], name]);
          }
        }
        driven.splice(MOST_DRIVEN);
      }
      // What script goes on writing by itself, after whatever it does once.
      if (isDue(watch)) {
        const note = records => {
          for (const {target, attributeName} of records) {
            if (driven.length < MOST_DRIVEN) driven.push([target, attributeName]);
          }
        };
        const observer = new RealObserver(note);
        observer.observe(document, {attributes: true, subtree: true});
        await pass(watch);
        note(observer.takeRecords());
        observer.disconnect();
      }
      endTransitions();
      // Standing animations would ask for frame after frame, in which nothing changes.
      for (const animation of running()) hold(animation);
      const tree = snapshot();
      return text({tree, pending: pending(), driven: driven.map(([element, name]) => [numberOf(element), name])});
    },
    // Where to point at to press an element, as a person would; null where it is not there to be pressed.
    aim: number => {
      const element = elements[number];
      if (!element || !element.isConnected) return null;
      scrollTo(element, {block: 'center', inline: 'center', behavior: 'instant'});
      const r = rectOf(element);
      if (!(r.width > 0 && r.height > 0)) return null;
      for (const [fx, fy] of [[.5, .5], [.25, .5], [.75, .5], [.5, .25], [.5, .75]]) {
        const x = r.x + r.width * fx, y = r.y + r.height * fy;
        let hit = atPoint(document, x, y);
        const label = hit && hit.closest('label');
        if (label && label.control === element) return [x, y];
        while (hit && hit !== element) hit = hit.parentElement;
        if (hit) return [x, y];
      }
      return null;
    },
    focus: number => { const e = elements[number]; if (e && e.focus) e.focus(); return document.activeElement === e; },
    write: (number, name, value) => {
      if (value === null) elements[number].removeAttribute(name); else elements[number].setAttribute(name, value);
    },
    fire: (number, type, fields) => {
      const element = number < 0 ? document : elements[number];
      Object.assign(element, fields);
      return element.dispatchEvent(new Event(type, {bubbles: true, cancelable: true}));
    },
    // For pictures: everything at t seconds after the state began; where the scene's own space lies in the window.
    pose: t => { stager()(t); },
    place: scene => { const m = matrixOf(elements[scene]); return [m.a, m.b, m.c, m.d, m.e, m.f]; },
    // One look at a state: styles and rest where they are wanted, and what plan says: at each time one of several sets
    // of boxes, matrices and local boxes. With play time passes for scripts too, and the state is spent.
    survey: async asked => {
      const {scene, names, customs, rest, sets, plan, play} = parse(asked);
      const answer = {};
      const about = numbers => numbers.map(number => elements[number]);
      if (names || rest) {
        const originals = inClones();
        withoutAnimations(() => {
          if (names) answer.styles = styles(names, customs);
          if (rest) {
            for (const element of originals) write(element, 'animation', 'none');
            const all = about(rest);
            const values = new Float64Array(all.length * 14);
            let at = 0;
            for (const one of all) at = measureAt(values, at, elements[scene], [one], [one], [one]);
            answer.rest = encode(values);
            restore();
          }
        });
      }
      if (plan) {
        const groups = sets.map(set => set.map(about));
        const sizes = groups.map(([b, m, l]) => 4 * b.length + 6 * m.length + 4 * l.length);
        const values = new Float64Array(plan.reduce((sum, [, set]) => sum + sizes[set], 0));
        const start = now();
        const starts = new Map();
        let put = stager(starts, 0);
        let at = 0;
        for (const [t, set] of plan) {
          if (play) {
            await pass(start + t * 1000 - now());
            put = stager(starts, t);
          }
          put(t);
          at = measureAt(values, at, elements[scene], ...groups[set]);
        }
        if (!play) put(0);
        restore();
        answer.values = encode(values);
      }
      return text(answer);
    },
  });
  Object.defineProperty(window, '__stage', {value: stage, enumerable: false});
})();
