"""``element.animate()`` and what it gives: objects of Web Animations 1.

What an animation does is in the journal (see :class:`~husky_lint.script.journal.SetAnimation`), so that it is a part of
each state that it runs in. There every animation begins with the state, as those of style sheets do; one that is paused
holds what it shows then.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from husky_lint.script.animations import ANIMATION as PART
from husky_lint.script.animations import (
    NotTold,
    ScriptAnimation,
    ScriptTiming,
    read_keyframes,
    read_timing,
)
from husky_lint.script.element_api import ELEMENT, HTML, SVG
from husky_lint.script.hosts import DOCUMENT
from husky_lint.script.natives import arg, native
from husky_lint.script.nodes import ElementObject, HostObject, NodeObject, Tables
from husky_lint.script.operators import to_number, truth
from husky_lint.script.values import NULL, UNDEFINED, FunctionObject, JSObject, JSValue, PromiseObject, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    from husky_lint.script.browser import Browser
    from husky_lint.script.machine import Machine

ANIMATION = Tables()
EFFECT = Tables()


class EffectObject(HostObject):
    """A ``KeyframeEffect``. ``made`` is the animation that it makes, played from its beginning."""

    __slots__ = ("animation", "made")
    class_name = "KeyframeEffect"

    def __init__(self, browser: Browser, made: ScriptAnimation) -> None:
        super().__init__(browser, browser.object_prototype, EFFECT)
        self.made = made
        self.animation: AnimationObject | None = None


class AnimationObject(HostObject):
    """An ``Animation``; ``called`` is its number in the journal."""

    __slots__ = ("called", "effect")
    class_name = "Animation"

    def __init__(self, browser: Browser, effect: EffectObject, called: int | str, tables: Tables = ANIMATION) -> None:
        super().__init__(browser, browser.object_prototype, tables)
        self.effect = effect
        self.called = called

    @property
    def now(self) -> ScriptAnimation | None:
        """How it is; None while it is idle."""
        return self.browser.journal.animations.get((self.effect.made.element, self.called))

    def put(self, value: ScriptAnimation | None, name: str) -> None:
        """Let it be another way, by the method or property ``name``."""
        machine = self.browser.machine
        machine.emit("animation", self.effect.made.element, name)
        self.browser.journal.set_animation(self.effect.made.element, self.called, value, machine.at)

    def change(self, name: str, **fields: Any) -> None:
        """Change it; one that is idle begins with that."""
        self.put(replace(self.now or self.effect.made, **fields), name)


class StyleAnimationObject(AnimationObject):
    """A ``CSSAnimation``, as styled until script does something to it; ``called`` is the name of its keyframes."""

    __slots__ = ()
    class_name = "CSSAnimation"

    @property
    def now(self) -> ScriptAnimation | None:
        now = super().now
        if now is None:
            return self.effect.made
        return None if now.ended else now

    def put(self, value: ScriptAnimation | None, name: str) -> None:
        super().put(replace(self.effect.made, ended=True) if value is None else value, name)


def _effect_of(m: Machine, element: ElementObject, keyframes: JSValue, options: JSValue) -> EffectObject:
    browser = element.browser
    try:
        timing, composite = read_timing(m, options)
        made = ScriptAnimation(element.element, read_keyframes(m, keyframes), timing, composite, span=m.at)
    except NotTold:
        made = ScriptAnimation(element.element, (), ScriptTiming(), known=False, span=m.at)
    return EffectObject(browser, made)


def _animation_of(effect: EffectObject) -> AnimationObject:
    browser = effect.browser
    browser.animations_made += 1
    made = AnimationObject(browser, effect, browser.animations_made)
    browser.animation_objects[effect.made.element, made.called] = made
    browser.machine.write(effect, "animation", made)
    return made


def _animate(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if not isinstance(this, ElementObject):
        return m.unknown("clock")
    effect = _effect_of(m, this, arg(args), arg(args, 1))
    m.emit("animation", this.element, "animate", (m.realm.export(arg(args)), m.realm.export(arg(args, 1))))
    made = _animation_of(effect)
    this.browser.journal.set_animation(this.element, made.called, effect.made, m.at)
    return made


def _get_animations(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    """Those of style sheets in document order, those that script has made behind them."""
    if not isinstance(this, NodeObject):
        return m.unknown("layout")
    browser = this.browser
    options = arg(args)
    subtree: JSValue = this is browser.document_object
    if subtree is False and isinstance(options, JSObject):
        subtree = truth(options.get(m, "subtree"))
    styled = browser.styled_animations() if type(subtree) is bool else None
    told = all(animation.known for animation in browser.journal.animations.values())
    if styled is None or not told or any(part.startswith(PART) for _, part in browser.journal.unknown):
        return m.unknown("layout")

    def reaches(element: _Element) -> bool:
        if not isinstance(this, ElementObject):
            return browser.connected(element)
        return element is this.element or (subtree is True and this.element in element.iterancestors())

    found: list[JSValue] = [
        _styled_object(browser, animation, name) for animation, name in styled if reaches(animation.element)
    ]
    made = [key for key in browser.journal.animations if isinstance(key[1], int) and reaches(key[0])]
    found += [browser.animation_objects[key] for key in sorted(made, key=lambda key: int(key[1]))]
    m.spend(len(styled) + len(made))
    return m.array(one for one in found if not isinstance(one, AnimationObject) or one.now is not None)


def _styled_object(browser: Browser, animation: ScriptAnimation, name: str) -> AnimationObject:
    known = browser.animation_objects.get((animation.element, name))
    if known is None:
        effect = EffectObject(browser, animation)
        known = effect.animation = StyleAnimationObject(browser, effect, name, STYLE_ANIMATION)
        browser.animation_objects[animation.element, name] = known
    else:
        known.effect.made = animation
    return known


for _table in (ELEMENT, HTML, SVG):
    _table.methods["animate"] = _animate
for _table in (ELEMENT, HTML, SVG, DOCUMENT):
    _table.methods["getAnimations"] = _get_animations


def construct_keyframe_effect(m: Machine, args: list[JSValue], target: JSValue) -> JSValue:
    """``new KeyframeEffect(element, keyframes, options)``."""
    element = arg(args)
    if isinstance(element, ElementObject):
        return _effect_of(m, element, arg(args, 1), arg(args, 2))
    return m.unknown("clock", "element")


def construct_animation(m: Machine, args: list[JSValue], target: JSValue) -> JSValue:
    """``new Animation(effect, timeline)``; it is idle until it is played."""
    effect = arg(args)
    if not isinstance(effect, EffectObject):
        return m.unknown("unsupported", "element")
    if len(args) > 1 and type(args[1]) is not Unknown:  # only the document's own timeline goes on
        m.write(effect, "made", effect.made.untold())
    return _animation_of(effect)


# --- animations


def _animation(m: Machine, this: JSValue) -> AnimationObject | None:
    """The animation that a method is called on; None where it is unknown."""
    if isinstance(this, AnimationObject):
        return this
    if type(this) is Unknown:
        return None
    raise m.type_error("Illegal invocation")


@native(ANIMATION.methods, "play")
def _play(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    animation = _animation(m, this)
    if animation is not None:
        now = animation.now or animation.effect.made
        animation.change("play", paused=False, at=0.0 if now.at >= now.timing.end else now.at)
    return UNDEFINED


@native(ANIMATION.methods, "pause")
def _pause(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    animation = _animation(m, this)
    if animation is not None:
        animation.change("pause", paused=True)
    return UNDEFINED


@native(ANIMATION.methods, "cancel")
def _cancel(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    animation = _animation(m, this)
    if animation is not None and animation.now is not None:
        animation.put(None, "cancel")
    return UNDEFINED


@native(ANIMATION.methods, "finish")
def _finish(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    animation = _animation(m, this)
    if animation is not None:
        end = (animation.now or animation.effect.made).timing.end
        if math.isinf(end):
            raise animation.browser.dom_error("InvalidStateError", "Cannot finish an animation with an infinite end.")
        animation.change("finish", paused=False, at=end)
    return UNDEFINED


@native(ANIMATION.methods, "reverse")
def _reverse(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    animation = _animation(m, this)
    if animation is not None:
        animation.change("reverse", known=False)
    return UNDEFINED


@native(ANIMATION.methods, "commitStyles")
def _commit_styles(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    animation = _animation(m, this)
    if animation is not None:
        element = animation.effect.made.element
        m.emit("style-property", element, "", m.unknown("layout", "string"))
        animation.browser.journal.mark_unknown(element, "style", m.unknown("layout", "string"), m.at)
    return UNDEFINED


@native(ANIMATION.methods, "persist")
def _persist(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return UNDEFINED


def _set_rate(b: Browser, animation: AnimationObject, value: JSValue) -> None:
    rate = to_number(b.machine, value)
    if type(rate) is Unknown or not 0 <= rate < math.inf:
        animation.change("playbackRate", known=False)
    elif animation.now is None:
        b.machine.write(animation.effect, "made", replace(animation.effect.made, rate=rate))
    else:
        animation.change("playbackRate", rate=rate)


@native(ANIMATION.methods, "updatePlaybackRate")
def _update_rate(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    animation = _animation(m, this)
    if animation is not None:
        _set_rate(animation.browser, animation, arg(args))
    return UNDEFINED


ANIMATION.setters["playbackRate"] = _set_rate


@ANIMATION.getter("playbackRate")
def _rate(b: Browser, animation: AnimationObject) -> JSValue:
    return (animation.now or animation.effect.made).rate


@ANIMATION.getter("currentTime")
def _current_time(b: Browser, animation: AnimationObject) -> JSValue:
    now = animation.now
    if now is None:
        return NULL
    return now.at if now.paused and now.at else Unknown("clock", b.machine.at, "number")


@ANIMATION.setter("currentTime")
def _set_current_time(b: Browser, animation: AnimationObject, value: JSValue) -> None:
    if value is NULL:
        if animation.now is not None:
            raise b.machine.type_error("currentTime may not be changed from resolved to unresolved")
        return
    time = to_number(b.machine, value)
    if isinstance(animation, StyleAnimationObject) and (
        time == 0 or (type(time) is Unknown and time.reason == "clock")
    ):
        return  # it begins anew, or keeps the place it had: with the state all of the style sheets' begin together
    # What is before its beginning and yet begun in its middle is shifted by no delay.
    if type(time) is Unknown or not 0 <= time < math.inf or isinstance(animation, StyleAnimationObject):
        animation.change("currentTime", known=False)
    else:
        # One that is idle is held at that time.
        paused = animation.now is None or animation.now.paused
        animation.change("currentTime", at=float(time), paused=paused)


@ANIMATION.getter("startTime")
def _start_time(b: Browser, animation: AnimationObject) -> JSValue:
    now = animation.now
    return NULL if now is None or now.paused else Unknown("clock", b.machine.at, "number")


@ANIMATION.setter("startTime")
def _set_start_time(b: Browser, animation: AnimationObject, value: JSValue) -> None:
    # The present of the document's timeline (which nothing was added to), or its beginning: with all others.
    if value == 0.0 or (type(value) is Unknown and value.reason == "environment" and value.kind is None):
        animation.change("startTime", at=0.0, paused=False)
    else:
        animation.change("startTime", known=False)


@ANIMATION.getter("playState")
def _play_state(b: Browser, animation: AnimationObject) -> JSValue:
    now = animation.now
    if now is None:
        return "idle"
    if not now.known:
        return b.machine.unknown("clock", "string")
    if now.paused:
        return "paused"
    if math.isinf(now.timing.end):
        return "running"
    if now.at >= now.timing.end:
        return "finished"
    return Unknown("clock", b.machine.at, "string", choices=("running", "finished"))


@ANIMATION.getter("pending")
def _pending(b: Browser, animation: AnimationObject) -> JSValue:
    return b.machine.unknown("clock", "boolean")


@ANIMATION.getter("replaceState")
def _replace_state(b: Browser, animation: AnimationObject) -> JSValue:
    return "active"


@ANIMATION.getter("timeline")
def _timeline(b: Browser, animation: AnimationObject) -> JSValue:
    return b.machine.unknown("environment", "element")


@ANIMATION.setter("timeline")
def _set_timeline(b: Browser, animation: AnimationObject, value: JSValue) -> None:
    if type(value) is not Unknown:
        animation.change("timeline", known=False)


@ANIMATION.getter("effect")
def _effect(b: Browser, animation: AnimationObject) -> JSValue:
    return animation.effect


@ANIMATION.setter("effect")
def _set_effect(b: Browser, animation: AnimationObject, value: JSValue) -> None:
    if value is NULL:
        animation.put(None, "effect")
    elif value is not animation.effect:
        animation.change("effect", known=False)


@ANIMATION.getter("ready")
def _ready(b: Browser, animation: AnimationObject) -> JSValue:
    return b.machine.unknown("clock")


@ANIMATION.getter("finished")
def _finished(b: Browser, animation: AnimationObject) -> JSValue:
    promise = PromiseObject(b.promise_prototype)

    def resolve(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        b.resolve(promise, animation)
        return UNDEFINED

    _at_end(b, animation, resolve)
    return promise


def _at_end(b: Browser, animation: AnimationObject, call: Callable[[Any, JSValue, list[JSValue]], JSValue]) -> None:
    """Call once the animation is over, if it runs until then."""
    now = animation.now
    if now is None or math.isinf(now.timing.end) or not now.known or not now.rate:
        return

    def over(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        then = animation.now
        return call(m, this, args) if then is not None and not then.paused else UNDEFINED

    wait = max(now.timing.end - now.at, 0.0) / now.rate
    b.schedule("timeout", b.function(over), wait, [])


@ANIMATION.setter("onfinish")
def _set_on_finish(b: Browser, animation: AnimationObject, value: JSValue) -> None:
    b.machine.write(animation.props, "onfinish", value)
    if isinstance(value, FunctionObject):
        _at_end(b, animation, lambda m, this, args: m.call(value, animation, [b.event("finish", {})]))


@native(ANIMATION.methods, "addEventListener")
def _add_event_listener(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    animation, kind, handler = _animation(m, this), arg(args), arg(args, 1)
    if animation is None:
        return UNDEFINED
    if type(kind) is Unknown:
        return m.call_unknown(kind, args)
    if kind == "finish" and isinstance(handler, FunctionObject):
        browser = animation.browser
        _at_end(browser, animation, lambda m, this, args: m.call(handler, animation, [browser.event("finish", {})]))
    return UNDEFINED


@native(ANIMATION.methods, "removeEventListener")
def _remove_event_listener(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return UNDEFINED


# --- effects


def _as_it_is(effect: EffectObject) -> ScriptAnimation:
    """The animation of an effect as it is, or as it would begin."""
    now = effect.animation.now if effect.animation is not None else None
    return now or effect.made


@EFFECT.getter("target")
def _target(b: Browser, effect: EffectObject) -> JSValue:
    return b.wrap(effect.made.element)


@EFFECT.getter("composite")
def _composite(b: Browser, effect: EffectObject) -> JSValue:
    return effect.made.composite


@EFFECT.getter("pseudoElement")
def _pseudo_element(b: Browser, effect: EffectObject) -> JSValue:
    return NULL


@native(EFFECT.methods, "getTiming")
def _get_timing(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.object(_timing_fields(_as_it_is(this).timing)) if _is_told(this) else m.unknown("clock")


@native(EFFECT.methods, "getComputedTiming")
def _get_computed_timing(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if not _is_told(this):
        return m.unknown("clock")
    timing = _as_it_is(this).timing
    active = timing.duration * timing.iterations if timing.duration and timing.iterations else 0.0
    later = {name: Unknown("clock", m.at, "number") for name in ("currentIteration", "localTime", "progress")}
    return m.object({**_timing_fields(timing), "activeDuration": active, "endTime": timing.end, **later})


def _timing_fields(timing: ScriptTiming) -> dict[Any, JSValue]:
    return {
        "delay": timing.delay,
        "direction": timing.direction,
        "duration": timing.duration,
        "easing": timing.easing,
        "endDelay": timing.end_delay,
        "fill": timing.fill,
        "iterationStart": timing.iteration_start,
        "iterations": timing.iterations,
    }


@native(EFFECT.methods, "getKeyframes")
def _get_keyframes(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.unknown("clock")


def _is_told(this: JSValue) -> bool:
    return isinstance(this, EffectObject) and _as_it_is(this).known


def _change(m: Machine, effect: EffectObject, name: str, **fields: Any) -> None:
    m.write(effect, "made", replace(effect.made, **fields))
    if effect.animation is not None and effect.animation.now is not None:
        effect.animation.change(name, **fields)


@native(EFFECT.methods, "updateTiming")
def _update_timing(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, EffectObject):
        given = arg(args)
        try:
            timing, _ = read_timing(m, given if isinstance(given, JSObject | Unknown) else NULL, this.made.timing)
            _change(m, this, "updateTiming", timing=timing, retimed=True)
        except NotTold:
            _change(m, this, "updateTiming", known=False)
    return UNDEFINED


@native(EFFECT.methods, "setKeyframes")
def _set_keyframes(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, EffectObject):
        try:
            known = this.made.known and not isinstance(this.animation, StyleAnimationObject)
            _change(m, this, "setKeyframes", keyframes=read_keyframes(m, arg(args)), known=known)
        except NotTold:
            _change(m, this, "setKeyframes", known=False)
    return UNDEFINED


STYLE_ANIMATION = Tables(ANIMATION)


@STYLE_ANIMATION.getter("animationName")
def _animation_name(b: Browser, animation: AnimationObject) -> JSValue:
    return animation.called
