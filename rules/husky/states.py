"""The states a husky page is judged in: four paces, day and night, playing and paused, motion and reduced motion."""

from __future__ import annotations

from husky_lint.style.vocabulary import Axis, AxisValue, StateVocabulary
from husky_lint.style.words import words

PACE = Axis(
    name="pace",
    values=(
        AxisValue("stroll", words("stroll strolling amble"), weak=words("slow")),
        AxisValue("walk", words("walk walking"), weak=words("normal medium")),
        AxisValue("hop", words("hop hopping tripod")),
        AxisValue("zoomies", words("zoomies zoomie zoom gallop galloping"), weak=words("run running sprint fast")),
    ),
    default="walk",
    hints=words("pace speed gait tempo gear motion move"),
    keys=("ArrowRight", "ArrowLeft"),
)
THEME = Axis(
    name="theme",
    values=(
        AxisValue("day", words("day light daytime"), labels=words("sun sunny ☀ ☀️")),
        AxisValue("night", words("night dark nighttime"), labels=words("moon moonlight 🌙 ☾")),
    ),
    default="day",
    hints=words("theme sky time mode scheme color colour palette appearance"),
    keys=("n", "t", "d"),
    media={"night": {"color_scheme": "dark"}},
)
PAUSED = Axis(
    name="paused",
    values=(
        AxisValue("false", words("playing unpaused"), weak=words("running play"), labels=words("play resume")),
        AxisValue("true", words("paused pause"), weak=words("stopped frozen"), labels=words("stop")),
    ),
    default="false",
    hints=words("animation animations anim playback playstate state play"),
    keys=(" ", "p"),
)
MOTION = Axis(
    name="motion",
    values=(
        AxisValue("full", words("live animated moving"), weak=words("full ok on allowed normal running")),
        AxisValue("reduced", words("still reduced reduce calm static"), weak=words("off none no stopped")),
    ),
    default="full",
    hints=words("motion reduced reduce prefers animation"),
    media={"reduced": {"reduced_motion": True}},
    media_decides=True,
)

VOCABULARY = StateVocabulary((MOTION, PACE, THEME, PAUSED))
