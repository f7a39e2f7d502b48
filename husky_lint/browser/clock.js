// Runs in the page before any script of it: time stands still for timers, frames and dates until it is asked to pass,
// and chance is always the same.
(() => {
  'use strict';
  const own = f => Function.prototype.call.bind(f);
  const property = (owner, name) => Object.getOwnPropertyDescriptor(owner.prototype, name);
  const animationsOf = own(Document.prototype.getAnimations);
  const stateOf = own(property(Animation, 'playState').get);
  const timeOf = own(property(Animation, 'currentTime').get);
  const seek = own(property(Animation, 'currentTime').set);
  const realFrame = window.requestAnimationFrame.bind(window);
  const report = window.reportError.bind(window);
  const RealDate = Date;

  let seed = 0x9e3779b9;
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };

  const EPOCH = RealDate.UTC(2026, 0, 1, 12);
  const FRAME = 1000 / 60;
  const MOST_TASKS = 20000;
  let now = 0;
  let handles = 0;
  const tasks = new Map();
  const later = (kind, due, period, call) => {
    handles += 1;
    if (tasks.size < MOST_TASKS) tasks.set(handles, {kind, due, period, call, order: handles});
    return handles;
  };
  const caller = (callback, args) => typeof callback === 'function'
    ? () => callback.apply(window, args) : () => (0, eval)(String(callback));
  const forget = handle => { tasks.delete(Number(handle)); };
  window.setTimeout = (callback, delay, ...args) =>
    later('timer', now + Math.max(0, Number(delay) || 0), 0, caller(callback, args));
  window.setInterval = (callback, delay, ...args) => {
    const period = Math.max(4, Number(delay) || 0);
    return later('timer', now + period, period, caller(callback, args));
  };
  window.requestAnimationFrame = callback =>
    later('frame', (Math.floor(now / FRAME + 1e-6) + 1) * FRAME, 0, () => callback(now));
  window.requestIdleCallback = callback =>
    later('timer', now + 1, 0, () => callback({didTimeout: false, timeRemaining: () => 10}));
  window.clearTimeout = window.clearInterval = window.cancelAnimationFrame = window.cancelIdleCallback = forget;
  performance.now = () => now;
  window.Date = new Proxy(RealDate, {
    construct: (target, args, made) => Reflect.construct(target, args.length ? args : [EPOCH + now], made),
    apply: () => new RealDate(EPOCH + now).toString(),
    get: (target, name) => name === 'now' ? () => EPOCH + now : Reflect.get(target, name),
  });
  const next = limit => {
    let found = null;
    for (const [handle, task] of tasks) {
      if (task.due <= limit && (!found || task.due < found.task.due ||
          (task.due === found.task.due && task.order < found.task.order))) found = {handle, task};
    }
    return found;
  };
  // Everything that is due within some milliseconds, in order; promises have their turn in between.
  const pass = async ms => {
    const until = now + ms;
    for (let count = 0; count < MOST_TASKS; count += 1) {
      const found = next(until);
      if (!found) break;
      now = Math.max(now, found.task.due);
      if (found.task.period) {
        found.task.due += found.task.period;
        found.task.order = ++handles;
      } else tasks.delete(found.handle);
      try { found.task.call(); } catch (error) { report(error); }
      await null; await null; await null;
    }
    now = Math.max(now, until);
  };

  const frame = async count => {
    for (let left = count; left > 0; left -= 1) await new Promise(done => realFrame(done));
  };
  // Takes every animation that runs so many milliseconds on; how many came to their end by that.
  const advance = ms => {
    let ended = 0;
    for (const animation of animationsOf(document)) {
      const at = stateOf(animation) === 'running' ? timeOf(animation) : null;
      if (at === null) continue;
      seek(animation, Number(at) + ms);
      if (stateOf(animation) === 'finished') ended += 1;
    }
    return ended;
  };
  // Time passes for scripts and for animations, so much at a step; what waits for the end of an animation hears of it
  // in a frame.
  const run = async (ms, step) => {
    for (let left = ms; left > 1e-6; left -= step) {
      const part = Math.min(left, step);
      await pass(part);
      if (advance(part)) await frame(1);
    }
  };
  const clock = Object.freeze({
    pass, run, frame, now: () => now, pending: () => tasks.size, isDue: ms => next(now + ms) !== null,
    waits: () => Array.from(tasks.values()).some(task => task.kind === 'timer' && !task.period),
  });
  Object.defineProperty(window, '__clock', {value: clock, enumerable: false});
})();
