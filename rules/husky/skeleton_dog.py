"""The dog of the skeleton: small, plain, and right. What the examples of the anatomy and gait rules are set against."""

from __future__ import annotations

DOG = """\
<ellipse class="shadow" cx="426" cy="352" rx="120" ry="9"/>
<g class="dots">
  <ellipse class="dot" data-leg="far-hind" cx="338" cy="342" rx="14" ry="3"/>
  <ellipse class="dot" data-leg="far-fore" cx="466" cy="342" rx="14" ry="3"/>
  <ellipse class="dot" data-leg="near-hind" cx="358" cy="344" rx="15" ry="3.4"/>
  <ellipse class="dot" data-leg="near-fore" cx="486" cy="344" rx="15" ry="3.4"/>
</g>
<g class="dog">
  <g class="tail">
    <path class="tail-fur" d="M344 216 C316 212 296 192 296 164"/>
    <g class="tail-tip">
      <path class="tail-white" d="M296 166 C296 144 310 132 328 136"/>
    </g>
  </g>
  <g class="leg hind far">
    <g class="upper">
      <path class="thigh" d="M338 224 L354 266"/>
      <g class="lower">
        <path class="shank" d="M354 266 L332 304"/>
        <g class="pawgrp">
          <path class="cannon" d="M332 304 L334 330"/>
          <path class="paw" d="M326 340 q-1 -13 8 -13 q10 1 14 8 q1 5 -3 5 z"/>
        </g>
      </g>
    </g>
  </g>
  <g class="leg fore far">
    <g class="upper">
      <path class="arm" d="M478 212 L464 250"/>
      <g class="lower">
        <path class="forearm" d="M464 250 L464 324"/>
        <g class="pawgrp"><path class="paw" d="M457 340 q-2 -20 7 -20 q7 0 8 9 q6 3 7 8 q0 3 -3 3 z"/></g>
      </g>
    </g>
  </g>
  <path class="torso" d="M330 230 C326 206 344 196 372 197 C420 199 452 186 492 188 C524 190 542 212 538 236 C534
    262 510 276 484 276 C452 276 424 258 392 258 C366 264 338 258 330 230 Z"/>
  <path class="bib bib-belly" d="M366 242 C400 236 440 244 488 252 C500 256 500 272 484 276 C452 276 424 258 392
    258 C382 261 372 261 364 258 C358 252 360 246 366 242 Z"/>
  <path class="bib bib-chest" d="M470 250 C492 242 508 222 520 200 C536 208 542 222 538 238 C533 262 508 277 482
    276 C466 274 458 264 470 250 Z"/>
  <g class="leg hind near">
    <g class="upper">
      <path class="haunch" d="M334 214 C348 200 380 204 388 226 C394 246 386 268 374 276 C360 276 346 262 338 246
        C332 234 330 222 334 214 Z"/>
      <g class="lower">
        <path class="shank" d="M374 266 L352 306"/>
        <g class="pawgrp">
          <path class="cannon" d="M352 306 L354 330"/>
          <path class="paw" d="M345 340 q-1 -14 9 -14 q11 1 15 9 q1 5 -3 5 z"/>
        </g>
      </g>
    </g>
  </g>
  <g class="front">
    <path class="neck" d="M466 191 C496 184 516 170 534 150 L572 200 C562 214 548 230 537 244 C512 236 482 222
      466 191 Z"/>
    <path class="throat" d="M566 198 C560 214 549 230 538 244 C531 238 524 229 519 219 C538 216 552 206 566 198 Z"/>
    <g class="collar-set">
      <path class="collar" d="M515 174 C524 196 532 218 537 241"/>
      <g class="tag"><circle class="medal" cx="537" cy="250" r="5.5"/></g>
    </g>
    <g class="head">
      <g class="tongue"><path class="tongue-fur" d="M589 202 C597 203 601 209 599 217 C597 223 590 222 588 216 Z"/></g>
      <path class="skull" d="M520 184 C516 160 532 146 552 146 C574 145 588 156 593 170 C604 173 614 178 618 184
        C621 191 617 197 608 199 C598 204 586 210 570 211 C544 213 524 204 520 184 Z"/>
      <path class="face-mask" d="M593 171 C604 174 614 179 618 185 C621 191 617 197 608 199 C598 204 586 210 570
        211 C556 212 544 209 536 203 C548 202 556 194 562 186 C570 178 582 176 593 171 Z"/>
      <path class="mouth" d="M613 195 C604 199 594 201 584 199"/>
      <path class="nose" d="M611 178 C618 178 622 182 621 187 C619 191 613 190 611 186 Z"/>
      <path class="brow" d="M567 162 C573 157 580 158 584 163"/>
      <g class="eye">
        <ellipse class="iris" cx="576" cy="171" rx="4.8" ry="5.2"/>
        <circle class="pupil" cx="577" cy="171" r="2.4"/>
      </g>
      <g class="ear">
        <path class="ear-fur" d="M528.3 163.2 C524 140 525 120 529.9 106.2 C546 116 560 132 567.7 148.8 C556 160
          540 166 528.3 163.2 Z"/>
      </g>
    </g>
  </g>
  <path class="blade" d="M470 200 C480 192 496 194 504 204 C508 214 504 226 494 232 C482 226 472 214 470 200 Z"/>
  <g class="leg fore near">
    <g class="upper">
      <path class="arm" d="M498 214 L482 252"/>
      <g class="lower">
        <path class="forearm" d="M482 252 L484 324"/>
        <g class="pawgrp"><path class="paw" d="M477 340 q-2 -21 7 -21 q8 0 9 9 q6 3 7 9 q0 3 -3 3 z"/></g>
      </g>
    </g>
  </g>
</g>
<g class="runaway">
  <path class="arm" d="M498 214 L482 252"/>
  <path class="forearm" d="M482 252 L484 324"/>
  <path class="paw" d="M477 340 q-2 -21 7 -21 q8 0 9 9 q6 3 7 9 q0 3 -3 3 z"/>
</g>
<g id="hearts"></g>
<g id="clumps"></g>
"""

_JOINTS = ("fore-upper", "fore-lower", "fore-paw", "hind-upper", "hind-lower", "hind-paw")
_STANCE_ENDS = 46
_ANGLES = (  # percent of the cycle, then degrees of each joint
    (0, -23.7, 8, 15.7, -13.5, -4.2, 17.8),
    (11.5, -11.1, -2.2, 13.2, -7.3, 0.4, 7),
    (23, -3.5, -4.2, 7.7, 1.7, -0.5, -1.2),
    (34.5, 0, -0, 0, 13.3, -7.2, -6.1),
    (46, -4.7, 16.9, -12.1, 28.7, -22.6, -6),
    (51, 29.8, -30.4, 18.6, 21.2, 5.5, -10.7),
    (62, 28.4, -39.8, 53.4, -2.4, 37.1, -0.7),
    (76, 15.5, -38.2, 44.7, -25.9, 44.1, 3.8),
    (90, 1.2, -34.1, 24.9, -29.9, 22.3, 1.6),
    (96.5, -10.7, -15.5, 20.3, -23.9, 10.5, 9.4),
    (100, -23.7, 8, 15.7, -13.5, -4.2, 17.8),
)


def _keyframes(joint: int) -> str:
    stops = []
    for percent, *angles in _ANGLES:
        easing = "linear" if percent < _STANCE_ENDS else "cubic-bezier(.4, .15, .65, .9)"
        stops.append(
            f"  {percent:g}% {{ transform: rotate({angles[joint]:g}deg); animation-timing-function: {easing}; }}"
        )
    return "\n".join((f"@keyframes {_JOINTS[joint]} {{", *stops, "}"))


_GAIT = "\n".join(_keyframes(joint) for joint in range(len(_JOINTS)))

DOG_STYLES = f"""\
:root {{
  --coat-dark: #3c4759; --coat-mid: #66738a; --coat-far: #525e73;
  --fur-white: #ffffff; --fur-far: #c5cedb; --trail: #c7a97b;
}}
:root[data-theme="night"] {{
  --coat-dark: #333d52; --coat-mid: #48556d; --coat-far: #3a465c;
  --fur-white: #f4f7fc; --fur-far: #98a4b8; --trail: #464e66;
}}
.torso, .haunch, .neck, .skull {{ fill: var(--coat-mid); }}
.bib, .throat, .face-mask, .paw {{ fill: var(--fur-white); }}
.nose, .pupil {{ fill: #20242e; }}
.iris {{ fill: #63bdf0; }}
.mouth {{ fill: none; stroke: #20242e; stroke-width: 1.8; }}
.brow {{ fill: none; stroke: var(--fur-white); stroke-width: 3.6; }}
.ear-fur {{ fill: var(--coat-dark); }}
.tongue-fur {{ fill: #ef7f8e; }}
.collar {{ fill: none; stroke: #d2383f; stroke-width: 9; }}
.medal {{ fill: #d9b64a; }}
.blade {{ fill: var(--coat-dark); opacity: .3; }}
.shadow, .dot {{ fill: #3b2f22; opacity: .3; }}
.tail-fur, .tail-white {{ fill: none; stroke-linecap: round; stroke-width: 22; stroke: var(--coat-dark); }}
.tail-white {{ stroke-width: 20; stroke: var(--fur-white); }}
.arm, .forearm, .thigh, .shank, .cannon {{ fill: none; stroke: var(--coat-mid); stroke-linecap: round; }}
.arm {{ stroke-width: 21; }}
.forearm {{ stroke-width: 14.5; stroke: var(--fur-white); }}
.thigh {{ stroke-width: 30; }}
.shank {{ stroke-width: 17; }}
.cannon {{ stroke-width: 12; stroke: var(--fur-white); }}
.far .arm, .far .thigh, .far .shank {{ stroke: var(--coat-far); }}
.far .forearm, .far .cannon {{ stroke: var(--fur-far); }}
.far .paw {{ fill: var(--fur-far); }}
.fore.near .upper {{ transform-origin: 498px 214px; }}
.fore.near .lower {{ transform-origin: 482px 252px; }}
.fore.near .pawgrp {{ transform-origin: 484px 324px; }}
.fore.far .upper {{ transform-origin: 478px 212px; }}
.fore.far .lower {{ transform-origin: 464px 250px; }}
.fore.far .pawgrp {{ transform-origin: 464px 324px; }}
.hind.near .upper {{ transform-origin: 358px 226px; }}
.hind.near .lower {{ transform-origin: 374px 266px; }}
.hind.near .pawgrp {{ transform-origin: 352px 306px; }}
.hind.far .upper {{ transform-origin: 338px 224px; }}
.hind.far .lower {{ transform-origin: 354px 266px; }}
.hind.far .pawgrp {{ transform-origin: 332px 304px; }}
.tail {{ transform-origin: 344px 216px; }}
.tail-tip {{ transform-origin: 296px 166px; }}
.front {{ transform-origin: 500px 210px; }}
.head {{ transform-origin: 530px 204px; }}
.ear {{ transform-origin: 548px 156px; }}
.eye {{ transform-origin: 576px 171px; }}
.tag {{ transform-origin: 537px 241px; }}
.tongue {{ transform-origin: 590px 203px; }}
.shadow {{ transform-origin: 426px 352px; }}
.runaway {{ transform-origin: 490px 280px; display: none; }}
.fore.near, .dot[data-leg="near-fore"] {{ --phase: 0; }}
.fore.far, .dot[data-leg="far-fore"] {{ --phase: -.54; }}
.hind.near, .dot[data-leg="near-hind"] {{ --phase: -.5; }}
.hind.far, .dot[data-leg="far-hind"] {{ --phase: -.04; }}
.upper, .lower, .pawgrp, .dot {{
  animation-duration: var(--cycle); animation-delay: calc(var(--cycle) * var(--phase));
  animation-iteration-count: infinite;
}}
.fore .upper {{ animation-name: fore-upper; }}
.fore .lower {{ animation-name: fore-lower; }}
.fore .pawgrp {{ animation-name: fore-paw; }}
.hind .upper {{ animation-name: hind-upper; }}
.hind .lower {{ animation-name: hind-lower; }}
.hind .pawgrp {{ animation-name: hind-paw; }}
.dot {{ animation-name: press; }}
.dog {{ animation: bob calc(var(--cycle) * .5) ease-in-out infinite; }}
.shadow {{ animation: breathe calc(var(--cycle) * .5) ease-in-out infinite; }}
.front {{ animation: nod var(--cycle) ease-in-out infinite; }}
.tail {{ animation: wag var(--cycle) ease-in-out infinite; }}
.tail-tip {{ animation: tip var(--cycle) ease-in-out calc(var(--cycle) * -.8) infinite; }}
.tag {{ animation: swing var(--cycle) ease-in-out infinite; }}
.head {{ animation: look 7s ease-in-out infinite; }}
.ear {{ animation: flick 5.3s ease-in-out infinite; }}
.eye {{ animation: blink 4.1s linear infinite; }}
@keyframes bob {{ 0%, 100% {{ transform: translateY(.5px); }} 50% {{ transform: translateY(-1px); }} }}
@keyframes breathe {{ 50% {{ transform: scaleX(.97); }} }}
@keyframes nod {{ 50% {{ transform: rotate(1deg); }} }}
@keyframes wag {{ 0%, 100% {{ transform: rotate(-5deg); }} 50% {{ transform: rotate(6deg); }} }}
@keyframes tip {{ 0%, 100% {{ transform: rotate(-7deg); }} 50% {{ transform: rotate(8deg); }} }}
@keyframes swing {{ 0%, 100% {{ transform: rotate(-14deg); }} 50% {{ transform: rotate(14deg); }} }}
@keyframes press {{ 0%, 40%, 100% {{ opacity: .34; }} 50%, 92% {{ opacity: .06; }} }}
@keyframes look {{ 0%, 38%, 100% {{ transform: rotate(0deg); }} 46%, 62% {{ transform: rotate(-4deg); }} }}
@keyframes flick {{ 0%, 88%, 100% {{ transform: rotate(0deg); }} 91% {{ transform: rotate(-9deg); }} }}
@keyframes blink {{ 0%, 94%, 100% {{ transform: scaleY(1); }} 97% {{ transform: scaleY(.1); }} }}
{_GAIT}
#scene[data-speed="hop"] .fore.near, #scene[data-speed="hop"] .dot[data-leg="near-fore"] {{ display: none; }}
#scene[data-speed="hop"] .leg, #scene[data-speed="hop"] .dot {{ --phase: 0; }}
#scene[data-speed="hop"] .runaway {{ display: inline; animation: run-away 2.4s both; }}
#scene[data-speed="hop"] .dog {{ animation: spring var(--cycle) infinite; }}
#scene[data-speed="hop"] .shadow {{ animation-duration: var(--cycle); }}
@keyframes spring {{
  0%, 46% {{ transform: translateY(1px); animation-timing-function: cubic-bezier(.2, .6, .5, 1); }}
  73% {{ transform: translateY(-27px); animation-timing-function: cubic-bezier(.5, 0, .8, .5); }}
  100% {{ transform: translateY(1px); }}
}}
@keyframes run-away {{
  0% {{ transform: translate(0, 0) rotate(0deg); animation-timing-function: cubic-bezier(.2, .5, .5, 1); }}
  26% {{ transform: translate(-150px, -120px) rotate(-200deg);
  animation-timing-function: cubic-bezier(.5, 0, .8, .5); }}
  55% {{ transform: translate(-290px, 58px) rotate(-450deg); animation-timing-function: linear; }}
  100% {{ transform: translate(-640px, 58px) rotate(-450deg); }}
}}
#scene[data-speed="zoomies"] .fore.near, #scene[data-speed="zoomies"] .dot[data-leg="near-fore"] {{ --phase: 0; }}
#scene[data-speed="zoomies"] .fore.far, #scene[data-speed="zoomies"] .dot[data-leg="far-fore"] {{ --phase: -.1; }}
#scene[data-speed="zoomies"] .hind.near, #scene[data-speed="zoomies"] .dot[data-leg="near-hind"] {{ --phase: -.5; }}
#scene[data-speed="zoomies"] .hind.far, #scene[data-speed="zoomies"] .dot[data-leg="far-hind"] {{ --phase: -.6; }}
#scene[data-speed="zoomies"] .tail {{ animation-name: stream; }}
#scene[data-speed="zoomies"] .tongue {{ transform: rotate(60deg); }}
#scene[data-speed="zoomies"] .fore .lower {{ animation-name: run-lower; }}
@keyframes run-lower {{
  0%, 100% {{ transform: rotate(8deg); animation-timing-function: linear; }}
  11.5% {{ transform: rotate(-2.2deg); animation-timing-function: linear; }}
  23% {{ transform: rotate(-4.2deg); animation-timing-function: linear; }}
  34.5% {{ transform: rotate(0deg); animation-timing-function: linear; }}
  46% {{ transform: rotate(16.9deg); animation-timing-function: cubic-bezier(.4, .15, .65, .9); }}
  51% {{ transform: rotate(-30.4deg); animation-timing-function: cubic-bezier(.4, .15, .65, .9); }}
  66%, 78% {{ transform: rotate(-62deg); animation-timing-function: cubic-bezier(.4, .15, .65, .9); }}
  90% {{ transform: rotate(-34.1deg); animation-timing-function: cubic-bezier(.4, .15, .65, .9); }}
  96.5% {{ transform: rotate(-15.5deg); animation-timing-function: cubic-bezier(.4, .15, .65, .9); }}
}}
#scene[data-paused="true"]
  :is(.strip, .dog, .upper, .lower, .pawgrp, .dot, .shadow, .front, .tail, .tail-tip, .tag, .runaway) {{
  animation-play-state: paused;
}}
#scene[data-still="true"] * {{ animation: none !important; }}
#scene[data-still="true"][data-speed="hop"] .runaway {{ display: none; }}
.clump {{ fill: var(--coat-mid); transform: translate(var(--x), var(--y)) scale(var(--size));
  animation: shed var(--flight) both; }}
@keyframes shed {{
  to {{ transform: translate(calc(var(--x) - 220px), 346px) rotate(var(--spin)) scale(var(--size)); opacity: 0; }}
}}
@keyframes stream {{ 0%, 100% {{ transform: rotate(-70deg); }} 50% {{ transform: rotate(-78deg); }} }}
"""
