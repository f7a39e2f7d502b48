/* As scripts were written before classes, arrows and templates. State is in attributes of the scene:
   data-speed, data-paused, data-moving; the sky is html[data-theme]. */
(function () {
  'use strict';

  // Order of the buttons and of the arrow keys; everything about a pace is looked up by its name.
  var ORDER = ['stroll', 'walk', 'hop', 'zoomies'];
  var CYCLE = { stroll: 1.06, walk: 0.78, hop: 0.62, zoomies: 0.38 };
  var STRIDE = { stroll: 0.7, walk: 0.9, hop: 0.6, zoomies: 1.6 };
  var BEATS = { stroll: 4, walk: 4, hop: 3, zoomies: 4 };
  var SHEDS = { stroll: false, walk: false, hop: true, zoomies: true };
  var SVG = 'http://www.w3.org/2000/svg';

  function $(id) { return document.getElementById(id); }

  var root = document.documentElement;
  var scene = $('scene');
  var query = window.matchMedia ? window.matchMedia('(prefers-reduced-motion: reduce)') : { matches: false };
  var pace = 'walk';
  var paused = false;
  var moving = false;
  var metres = 0;
  var steps = 0;
  var seconds = 0;
  var buttons = {};
  var i;

  function setPace(name) {
    var k;
    pace = name;
    scene.setAttribute('data-speed', name);
    for (k = 0; k < ORDER.length; k++) {
      buttons[ORDER[k]].setAttribute('aria-pressed', ORDER[k] === name ? 'true' : 'false');
    }
  }

  function addButton(name) {
    var button = document.createElement('button');
    button.setAttribute('type', 'button');
    button.setAttribute('data-speed', name);
    button.appendChild(document.createTextNode(name.charAt(0).toUpperCase() + name.substring(1)));
    button.onclick = function () { setPace(name); };
    $('paces').appendChild(button);
    buttons[name] = button;
  }
  for (i = 0; i < ORDER.length; i++) { addButton(ORDER[i]); }

  document.onkeydown = function (event) {
    var at = ORDER.indexOf(pace);
    if (event.key === 'ArrowRight') { setPace(ORDER[(at + 1) % ORDER.length]); }
    if (event.key === 'ArrowLeft') { setPace(ORDER[(at + ORDER.length - 1) % ORDER.length]); }
  };

  $('pause').onclick = function () {
    paused = !paused;
    scene.setAttribute('data-paused', paused ? 'true' : 'false');
    this.setAttribute('aria-pressed', paused ? 'true' : 'false');
    this.innerHTML = paused ? 'Resume' : 'Pause';
  };

  function isStill() { return query.matches && !moving; }

  if (query.matches) {
    var start = document.createElement('button');
    start.setAttribute('type', 'button');
    start.setAttribute('id', 'start');
    start.appendChild(document.createTextNode('Start the walk'));
    start.onclick = function () {
      moving = true;
      scene.setAttribute('data-moving', 'true');
      start.parentNode.removeChild(start);
    };
    document.getElementsByClassName('controls')[0].appendChild(start);
  }

  function showSky() {
    var night = root.getAttribute('data-theme') === 'night';
    $('theme').setAttribute('aria-pressed', night ? 'true' : 'false');
    $('theme').innerHTML = night ? 'Day' : 'Night';
    $('tab-icon').setAttribute('href', night ? 'favicon-night.svg' : 'favicon.svg');
  }

  $('theme').onclick = function () {
    var sky = root.getAttribute('data-theme') === 'night' ? 'day' : 'night';
    root.setAttribute('data-theme', sky);
    showSky();
    try { document.cookie = 'husky-sky=' + sky + '; max-age=31536000; path=/; samesite=lax'; } catch (refused) { }
    try { localStorage.setItem('husky-sky', sky); } catch (refused) { }
  };

  var before = new Date().getTime();
  function count() {
    var now = new Date().getTime();
    var passed = (now - before) / 1000;
    var whole;
    before = now;
    if (!isStill() && !paused) {
      seconds += passed;
      steps += (passed / CYCLE[pace]) * BEATS[pace];
      metres += (passed / CYCLE[pace]) * STRIDE[pace];
      whole = Math.floor(seconds);
      $('distance').innerHTML = metres.toFixed(1) + ' m';
      $('steps').innerHTML = '' + Math.floor(steps);
      $('elapsed').innerHTML = Math.floor(whole / 60) + ':' + (whole % 60 < 10 ? '0' : '') + (whole % 60);
    }
    setTimeout(count, 200);
  }
  setTimeout(count, 200);

  function between(low, high) { return low + Math.random() * (high - low); }

  function spawn(parent, part, outline, style) {
    var path = document.createElementNS(SVG, 'path');
    path.setAttribute('data-part', part);
    path.setAttribute('d', outline);
    path.setAttribute('style', style);
    path.addEventListener('animationend', function () { parent.removeChild(path); }, false);
    parent.appendChild(path);
  }

  setInterval(function () {
    if (isStill() || paused || !SHEDS[pace] || $('fluff').childNodes.length >= 12) { return; }
    spawn($('fluff'), 'clump', 'M-6 0 q0 -6 6 -5 q7 0 6 5 q-1 5 -7 4 q-5 0 -5 -4 z',
      '--x:' + between(330, 440) + 'px;--y:' + between(200, 255) + 'px;--s:' + between(0.6, 1.3).toFixed(2) +
      ';--spin:' + between(-420, 420) + 'deg;--flight:' + between(0.9, 1.7) + 's');
  }, 240);

  $('praise').onclick = function () {
    var k;
    if (isStill()) { return; }
    for (k = 0; k < 5; k++) {
      spawn($('hearts'), 'heart', 'M0 6 C-12 -2 -8 -12 0 -6 C8 -12 12 -2 0 6 z',
        '--x:' + (520 + k * 24) + 'px;--y:' + between(110, 140) + 'px;--s:' + between(0.8, 1.4).toFixed(2));
    }
  };

  setPace('walk');
  showSky();
})();
