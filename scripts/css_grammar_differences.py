# ruff: noqa: E501 - a syntax is easier read and compared on long lines
"""Where Chromium and MDN's data disagree on value syntax: Chromium's answer, and why the entry is needed.

Each entry replaces a definition: name -> (syntax, reason). ``<custom-ident !a,b>`` excludes keywords, which the
notation of the specifications leaves to prose; ``<path-data>`` and ``<opentype-tag>`` are strings of that form.
"""

from __future__ import annotations

RANGE = "MDN leaves out the range"
MISSING = "not in MDN's data"
UNSUPPORTED = "Chromium lacks part of it"
LEGACY = "Chromium keeps legacy values"
PROSE = "the specification excludes it in prose"

_SIZE = (
    "<length-percentage [0,∞]> | min-content | max-content | fit-content | stretch | -webkit-fill-available"
    " | -webkit-min-content | -webkit-max-content | -webkit-fit-content | <calc-size()>"
)
_GENERIC = "serif,sans-serif,cursive,fantasy,monospace,system-ui,math"
_COORDINATE = "<length-percentage> | <number>"
_RULE_INSET = "overlap-join | <length-percentage>"
_BREAK = "auto | avoid | avoid-column | avoid-page | column | left | page | recto | right | verso"
_AMOUNT = "[ <number [0,∞]> | <percentage [0,∞]> ]?"

TYPES: dict[str, tuple[str, str]] = {
    # Values in general
    "calc-sum": ("<any-value>", "math functions are type-checked as a whole, not by their grammar"),
    "calc-size-basis": (
        (
            "auto | none | content | min-content | max-content | fit-content | stretch | -webkit-fill-available | any"
            " | <calc-size()> | <length-percentage>"
        ),
        "MDN refers to a type it does not define",
    ),
    "line-width": ("<length [0,∞]> | thin | medium | thick", RANGE),
    "shadow": ("inset? && [ <length>{2} [ <length [0,∞]> <length>? ]? ] && <color>?", RANGE),
    "shadow-t": ("[ <length>{2} <length [0,∞]>? ] && <color>?", RANGE),
    "attr()": ("attr( <any-value> )", "attr() is substituted at computed time"),
    # Colours
    "color": (
        (
            "<color-base> | currentColor | <system-color> | <light-dark()> | <contrast-color()> | <alpha()>"
            " | <deprecated-system-color> | -webkit-link | -webkit-activelink"
        ),
        MISSING,
    ),
    "contrast-color()": ("contrast-color( <color> )", MISSING),
    "alpha()": ("alpha( from <color> / <any-value> )", MISSING),
    "color-interpolation-method": (
        "in [ <rectangular-color-space> | <polar-color-space> <hue-interpolation-method>? ]",
        "Chromium has no custom colour spaces",
    ),
    "color-mix()": (
        "color-mix( [ <color-interpolation-method> , ]? [ <color> && <percentage [0,100]>? ]#{2} )",
        "the method has become optional",
    ),
    "colorspace-params": ("<predefined-rgb-params> | <xyz-params>", "Chromium has no custom colour spaces"),
    "color()": (
        "color( <colorspace-params> [ / [ <alpha-value> | none ] ]? ) | color( from <color> [ <any-value> ]! )",
        "channel keywords of relative colours",
    ),
    **{
        f"{name}()": (
            f"{name}( {legacy}{modern} [ / [ <alpha-value> | none ] ]? | from <color> [ <any-value> ]! )",
            "relative colours",
        )
        for name, legacy, modern in (
            *(
                (
                    name,
                    "<percentage>#{3} , <alpha-value>? | <number>#{3} , <alpha-value>? | ",
                    "[ <number> | <percentage> | none ]{3}",
                )
                for name in ("rgb", "rgba")
            ),
            *(
                (
                    name,
                    "<hue> , <percentage> , <percentage> , <alpha-value>? | ",
                    "[ <hue> | none ] [ <percentage> | <number> | none ]{2}",
                )
                for name in ("hsl", "hsla")
            ),
            ("hwb", "", "[ <hue> | none ] [ <percentage> | <number> | none ]{2}"),
            ("lab", "", "[ <percentage> | <number> | none ]{3}"),
            ("oklab", "", "[ <percentage> | <number> | none ]{3}"),
            ("lch", "", "[ <percentage> | <number> | none ]{2} [ <hue> | none ]"),
            ("oklch", "", "[ <percentage> | <number> | none ]{2} [ <hue> | none ]"),
        )
    },
    # Images
    "image": (
        (
            "<url> | <image()> | <image-set()> | -webkit-image-set( <any-value> ) | <paint()> | <gradient>"
            " | -webkit-cross-fade( <any-value> ) | -webkit-gradient( <any-value> ) | -webkit-linear-gradient( <any-value> )"
            " | -webkit-repeating-linear-gradient( <any-value> ) | -webkit-radial-gradient( <any-value> )"
            " | -webkit-repeating-radial-gradient( <any-value> )"
        ),
        "no cross-fade() and element(), but prefixed functions",
    ),
    "image-set-option": ("[ <image> | <string> ] [ <resolution [0,∞]> || type( <string> ) ]?", RANGE),
    "image()": ("image( <color> )", UNSUPPORTED),
    "color-stop-list": ("<linear-color-stop> , [ <linear-color-hint>? , <linear-color-stop> ]#?", "spelling"),
    "radial-gradient-syntax": (
        (
            "[ [ [ circle || [ <radial-extent> | <length [0,∞]> ] | ellipse? && [ <radial-extent> | <length-percentage [0,∞]>{2} ]"
            " | ellipse ]? [ at <position> ]? ] || <color-interpolation-method> ]? , <color-stop-list>"
        ),
        "which sizes go with which shape is prose in the specification",
    ),
    # Shapes
    "basic-shape": (
        "<inset()> | <xywh()> | <rect()> | <circle()> | <ellipse()> | <polygon()> | <path()> | <shape()>",
        MISSING,
    ),
    "inset()": ("inset( <length-percentage>{1,4} [ round <'border-radius'> ]? )", "spelling"),
    "shape()": ("shape( [ <any-value> ]! )", MISSING),
    "circle()": (
        "circle( [ closest-side | farthest-side | <length-percentage [0,∞]> ]? [ at <position> ]? )",
        "one radius",
    ),
    "ellipse()": (
        "ellipse( [ [ closest-side | farthest-side | <length-percentage [0,∞]> ]{2} ]? [ at <position> ]? )",
        "two radii",
    ),
    "offset-path": (
        (
            "<ray()> | <url> | <inset()> | <xywh()> | <rect()> | <circle()> | <ellipse()> | <polygon()>"
            " | path( <path-data> ) | <shape()>"
        ),
        "no fill rule",
    ),
    "path()": ("path( <'fill-rule'>? , <path-data> )", PROSE),
    # Filters, transforms, easing
    "blur()": ("blur( <length [0,∞]>? )", RANGE),
    "drop-shadow()": ("drop-shadow( <color>? && [ <length>{2} <length [0,∞]>? ] )", RANGE),
    **{
        f"{name}()": (f"{name}( {_AMOUNT} )", RANGE)
        for name in ("brightness", "contrast", "grayscale", "invert", "opacity", "saturate", "sepia")
    },
    "steps()": (
        "steps( <integer [1,∞]> , [ jump-start | jump-end | jump-both | start | end ]? | <integer [2,∞]> , jump-none )",
        RANGE,
    ),
    "linear()": (
        "linear( [ <number>? <number> <percentage>{1,2} | <number> | <percentage>{1,2} <number> ]#{2,} )",
        "one stop is not enough in Chromium, and a number may be repeated",
    ),
    # Animations
    "single-animation": (
        (
            "<time [0,∞]> || <easing-function> || <time> || <single-animation-iteration-count>"
            " || <single-animation-direction> || <single-animation-fill-mode> || <single-animation-play-state>"
            " || [ none | <keyframes-name> ]"
        ),
        "the shorthand takes neither the duration auto nor a timeline in Chromium",
    ),
    "single-animation-iteration-count": ("infinite | <number [0,∞]>", RANGE),
    "keyframes-name": ("<custom-ident !none> | <string>", PROSE),
    "single-transition-property": ("all | <custom-ident !none>", PROSE),
    "timeline-range-name": ("cover | contain | entry | exit | entry-crossing | exit-crossing | scroll", MISSING),
    "view()": ("view( [ <axis> || [ auto | <length-percentage> ]{1,2} ]? )", "spelling"),
    # Backgrounds and masks
    "bg-layer": (
        "<bg-image> || <bg-position> [ / <bg-size> ]? || <repeat-style> || <attachment> || <visual-box> || <bg-clip>",
        MISSING,
    ),
    "final-bg-layer": (
        (
            "<bg-image> || <bg-position> [ / <bg-size> ]? || <repeat-style> || <attachment> || <visual-box> || <bg-clip>"
            " || <'background-color'>"
        ),
        MISSING,
    ),
    "bg-clip": ("<visual-box> | [ border-area || text ]", MISSING),
    "mask-layer": (
        (
            "<mask-reference> || <bg-position> [ / <bg-size> ]? || <repeat-style> || <coord-box> || [ <coord-box> | no-clip ]"
            " || <compositing-operator> || <masking-mode>"
        ),
        UNSUPPORTED,
    ),
    # Layout
    "display-outside": ("block | inline", UNSUPPORTED),
    "display-inside": ("flow | flow-root | table | flex | grid | ruby | math", MISSING),
    "display-internal": (
        (
            "table-row-group | table-header-group | table-footer-group | table-row | table-cell | table-column-group"
            " | table-column | table-caption | ruby-text"
        ),
        UNSUPPORTED,
    ),
    "display-legacy": (
        (
            "inline-block | inline-table | inline-flex | inline-grid | -webkit-box | -webkit-inline-box | -webkit-flex"
            " | -webkit-inline-flex"
        ),
        LEGACY,
    ),
    "fixed-breadth": ("<length-percentage [0,∞]>", RANGE),
    "inflexible-breadth": ("<length-percentage [0,∞]> | min-content | max-content | auto", RANGE),
    "track-breadth": ("<length-percentage [0,∞]> | <flex [0,∞]> | min-content | max-content | auto", RANGE),
    "track-size": (
        "<track-breadth> | minmax( <inflexible-breadth> , <track-breadth> ) | fit-content( <length-percentage [0,∞]> )",
        RANGE,
    ),
    "line-names": ("'[' <custom-ident !span,auto>* ']'", PROSE),
    "grid-line": (
        (
            "auto | <custom-ident !span,auto> | [ [ <integer [-∞,-1]> | <integer [1,∞]> ] && <custom-ident !span,auto>? ]"
            " | [ span && [ <integer [1,∞]> || <custom-ident !span,auto> ] ]"
        ),
        PROSE,
    ),
    "anchor()": (
        "anchor( [ <anchor-name>? && <anchor-side> ] , [ <length-percentage> | <anchor()> | <anchor-size()> ]? )",
        "the comma binds closer than && in MDN's text",
    ),
    "anchor-size()": (
        "anchor-size( [ <anchor-name> || <anchor-size> ]? , [ <length-percentage> | <anchor()> | <anchor-size()> ]? )",
        "anchor functions nest",
    ),
    # Text
    "family-name": (
        f"<string> | <custom-ident !{_GENERIC}> | <ident !{_GENERIC}> <ident>+",
        "a generic family stands alone; in a name of several words any word does",
    ),
    "feature-tag-value": ("<opentype-tag> [ <integer> | on | off ]?", PROSE),
    "counter-name": ("<custom-ident !none>", PROSE),
    "counter-style": ("<counter-style-name> | <symbols()>", MISSING),
    "text-edge": ("text | [ text | cap | ex ] [ text | alphabetic ]", UNSUPPORTED),
    "system-family-name": (
        (
            "caption | icon | menu | message-box | small-caption | status-bar | -webkit-control | -webkit-mini-control"
            " | -webkit-small-control"
        ),
        LEGACY,
    ),
    "absolute-size": (
        "xx-small | x-small | small | medium | large | x-large | xx-large | xxx-large | -webkit-xxx-large",
        LEGACY,
    ),
}

_OVERFLOW = "visible | hidden | clip | scroll | auto | overlay"
_OVERSCROLL = "contain | none | auto | chain"

PROPERTIES: dict[str, tuple[str, str]] = {
    # SVG geometry
    **dict.fromkeys(("cx", "cy", "x", "y"), (_COORDINATE, "unitless numbers are lengths in SVG")),
    "r": ("<length-percentage [0,∞]> | <number [0,∞]>", "unitless numbers are lengths in SVG"),
    "rx": ("auto | <length-percentage [0,∞]> | <number [0,∞]>", "unitless numbers are lengths in SVG"),
    "ry": ("auto | <length-percentage [0,∞]> | <number [0,∞]>", "unitless numbers are lengths in SVG"),
    "d": ("none | path( <path-data> )", PROSE),
    "stroke-width": ("<length-percentage [0,∞]> | <number [0,∞]>", RANGE),
    "stroke-dasharray": ("none | [ [ <length-percentage [0,∞]> | <number [0,∞]> ]+ ]#", RANGE),
    "stroke-linejoin": ("miter | round | bevel", UNSUPPORTED),
    "stroke-miterlimit": ("<number [0,∞]>", RANGE),
    "vector-effect": ("none | non-scaling-stroke", UNSUPPORTED),
    "baseline-shift": (
        "<length-percentage> | <number> | sub | super | baseline",
        "unitless numbers are lengths in SVG",
    ),
    "alignment-baseline": (
        (
            "auto | baseline | alphabetic | ideographic | middle | central | mathematical | hanging | text-before-edge"
            " | text-after-edge | before-edge | after-edge"
        ),
        LEGACY,
    ),
    "dominant-baseline": (
        (
            "auto | alphabetic | ideographic | middle | central | mathematical | hanging | text-before-edge | text-after-edge"
            " | use-script | no-change | reset-size"
        ),
        LEGACY,
    ),
    "color-interpolation": ("auto | sRGB | linearRGB", MISSING),
    "color-rendering": ("auto | optimizeSpeed | optimizeQuality", MISSING),
    "buffered-rendering": ("auto | dynamic | static", MISSING),
    "pointer-events": (
        (
            "auto | none | visiblePainted | visibleFill | visibleStroke | visible | painted | fill | stroke | all"
            " | bounding-box"
        ),
        LEGACY,
    ),
    # Boxes
    "width": (f"auto | {_SIZE} | <anchor-size()>", LEGACY),
    "height": (f"auto | {_SIZE} | <anchor-size()>", LEGACY),
    "min-width": (f"auto | {_SIZE} | <anchor-size()>", LEGACY),
    "min-height": (f"auto | {_SIZE} | <anchor-size()>", LEGACY),
    "max-width": (f"none | {_SIZE} | <anchor-size()>", LEGACY),
    "max-height": (f"none | {_SIZE} | <anchor-size()>", LEGACY),
    "flex-basis": (
        "auto | content | <length-percentage [0,∞]> | min-content | max-content | fit-content | stretch | <calc-size()>",
        UNSUPPORTED,
    ),
    "flex-grow": ("<number [0,∞]>", RANGE),
    "flex-shrink": ("<number [0,∞]>", RANGE),
    "row-gap": ("normal | <length-percentage [0,∞]>", RANGE),
    "column-gap": ("normal | <length-percentage [0,∞]>", RANGE),
    "border-spacing": ("<length [0,∞]>{1,2}", RANGE),
    "column-count": ("auto | <integer [1,∞]>", RANGE),
    "orphans": ("<integer [1,∞]>", RANGE),
    "widows": ("<integer [1,∞]>", RANGE),
    "shape-margin": ("<length-percentage [0,∞]>", RANGE),
    **{
        f"contain-intrinsic-{side}": ("auto? [ none | <length [0,∞]> ]", RANGE)
        for side in ("width", "height", "block-size", "inline-size")
    },
    "contain-intrinsic-size": ("auto? [ none | <length [0,∞]> ] [ auto? [ none | <length [0,∞]> ] | auto ]?", RANGE),
    "contain": ("none | strict | content | [ [ size | inline-size ] || layout || style || paint ]", UNSUPPORTED),
    "container": ("<'container-name'> [ / <'container-type'> ]?", "spelling"),
    "container-name": ("none | <custom-ident !none,and,or,not>+", PROSE),
    **{
        f"scroll-padding-{side}": ("auto | <length-percentage [0,∞]>", RANGE)
        for side in ("top", "right", "bottom", "left", "block-start", "block-end", "inline-start", "inline-end")
    },
    "scroll-padding": ("[ auto | <length-percentage [0,∞]> ]{1,4}", RANGE),
    "scroll-padding-block": ("[ auto | <length-percentage [0,∞]> ]{1,2}", RANGE),
    "scroll-padding-inline": ("[ auto | <length-percentage [0,∞]> ]{1,2}", RANGE),
    "scroll-snap-type": ("none | [ x | y | block | inline | both | pair ] [ mandatory | proximity ]?", LEGACY),
    "margin-trim": ("none | block | [ block-start || block-end ]", UNSUPPORTED),
    "overflow": (f"[ {_OVERFLOW} ]{{1,2}}", LEGACY),
    **{f"overflow-{axis}": (_OVERFLOW, LEGACY) for axis in ("x", "y", "block", "inline")},
    "overflow-anchor": ("visible | none | auto", LEGACY),
    "overflow-clip-margin": (
        "<any-value>",
        "Chromium takes no plain 0 and negative lengths, against its own specification",
    ),
    "overscroll-behavior": (f"[ {_OVERSCROLL} ]{{1,2}}", MISSING),
    **{f"overscroll-behavior-{axis}": (_OVERSCROLL, MISSING) for axis in ("x", "y", "block", "inline")},
    "resize": ("none | both | horizontal | vertical | block | inline | auto", LEGACY),
    "outline-color": ("<color>", UNSUPPORTED),
    "break-after": (_BREAK, UNSUPPORTED),
    "break-before": (_BREAK, UNSUPPORTED),
    "break-inside": ("auto | avoid | avoid-page | avoid-column", UNSUPPORTED),
    "page-break-after": ("auto | always | avoid | left | right", "a legacy name with values of its own"),
    "page-break-before": ("auto | always | avoid | left | right", "a legacy name with values of its own"),
    "page-break-inside": ("auto | avoid", "a legacy name with values of its own"),
    "-webkit-column-break-after": ("auto | always | avoid", "a legacy name with values of its own"),
    "-webkit-column-break-before": ("auto | always | avoid", "a legacy name with values of its own"),
    "-webkit-column-break-inside": ("auto | avoid", "a legacy name with values of its own"),
    "zoom": ("normal | <number [0,∞]> | <percentage [0,∞]>", UNSUPPORTED),
    "align-content": (
        "normal | first? baseline | <content-distribution> | <overflow-position>? <content-position>",
        UNSUPPORTED,
    ),
    "align-items": ("normal | stretch | <baseline-position> | <overflow-position>? <self-position>", UNSUPPORTED),
    "justify-items": (
        (
            "normal | stretch | <baseline-position> | <overflow-position>? [ <self-position> | left | right ] | legacy"
            " | legacy && [ left | right | center ]"
        ),
        UNSUPPORTED,
    ),
    **dict.fromkeys(
        ("border", "border-block", "border-inline"),
        (
            "[ <line-width> ','? ] || [ <line-style> ','? ] || [ <color> ','? ]",
            "Chromium takes commas between the parts",
        ),
    ),
    # Transforms
    "rotate": (
        "none | <angle> <number>{0,3} | [ x | y | z | <number>{3} ] && <angle>",
        "Chromium takes an axis that is cut short behind the angle",
    ),
    "perspective": ("none | <length [0,∞]>", RANGE),
    "-webkit-perspective": ("none | <length [0,∞]> | <number [0,∞]>", LEGACY),
    "transform-origin": (
        (
            "[ <length-percentage> | left | center | right | top | bottom ] | [ [ <length-percentage> | left | center | right ]"
            " [ <length-percentage> | top | center | bottom ] | [ top | center | bottom ] [ left | center | right ] ] <length>?"
        ),
        "only two keywords may change places",
    ),
    "-webkit-transform-origin-x": ("<length-percentage> | left | center | right", MISSING),
    "-webkit-transform-origin-y": ("<length-percentage> | top | center | bottom", MISSING),
    "-webkit-transform-origin-z": ("<length>", MISSING),
    "-webkit-perspective-origin-x": ("<length-percentage> | left | center | right", MISSING),
    "-webkit-perspective-origin-y": ("<length-percentage> | top | center | bottom", MISSING),
    # Animations
    "animation-duration": ("[ auto | <time [0,∞]> ]#", RANGE),
    "transition": (
        (
            "[ none | all | <custom-ident> ] || <time [0,∞]> || <easing-function> || <time> || <transition-behavior-value>"
            " | [ <single-transition-property> || <time [0,∞]> || <easing-function> || <time> || <transition-behavior-value> ]#"
        ),
        "none only stands in a list of one",
    ),
    "transition-duration": ("<time [0,∞]>#", RANGE),
    "animation-trigger": ("<any-value>", "too new to follow"),
    "timeline-trigger": ("<any-value>", "too new to follow"),
    "timeline-trigger-name": ("<any-value>", "too new to follow"),
    "interest-delay-start": ("normal | <time [0,∞]>", RANGE),
    "interest-delay-end": ("normal | <time [0,∞]>", RANGE),
    "will-change": ("auto | [ scroll-position | contents | <custom-ident !none,all,auto> ]#", PROSE),
    "view-transition-class": ("none | <custom-ident !none>+", PROSE),
    "view-transition-name": ("none | <custom-ident !none,auto> | match-element", PROSE),
    "view-transition-group": ("normal | contain | nearest | <custom-ident>", MISSING),
    # Painting
    "background-position-x": ("[ center | [ [ left | right ]? <length-percentage>? ]! ]#", UNSUPPORTED),
    "background-position-y": ("[ center | [ [ top | bottom ]? <length-percentage>? ]! ]#", UNSUPPORTED),
    "mask-position": ("<bg-position>#", LEGACY),
    "-webkit-mask-position": ("<bg-position>#", LEGACY),
    "-webkit-mask-position-x": ("[ center | [ [ left | right ]? <length-percentage>? ]! ]#", MISSING),
    "-webkit-mask-position-y": ("[ center | [ [ top | bottom ]? <length-percentage>? ]! ]#", MISSING),
    "-webkit-background-clip": ("[ <visual-box> | text ]#", UNSUPPORTED),
    "-webkit-background-origin": ("[ <visual-box> | border | padding | content ]#", LEGACY),
    "-webkit-mask": (
        (
            "[ <mask-reference> || <bg-position> [ / <bg-size> ]? || <repeat-style>"
            " || [ <visual-box> | border | padding | content | text ] || [ <visual-box> | border | padding | content ]"
            " || <compositing-operator> || <masking-mode> ]#"
        ),
        LEGACY,
    ),
    "-webkit-mask-clip": ("[ <visual-box> | border | padding | content | text ]#", LEGACY),
    "-webkit-mask-origin": ("[ <visual-box> | border | padding | content ]#", LEGACY),
    "-webkit-mask-composite": ("[ <composite-style> | plus-lighter ]#", LEGACY),
    "image-orientation": ("from-image | none", UNSUPPORTED),
    "image-rendering": ("auto | crisp-edges | pixelated | -webkit-optimize-contrast", LEGACY),
    "mix-blend-mode": ("<blend-mode> | plus-lighter", UNSUPPORTED),
    "color-scheme": ("normal | [ light | dark | <custom-ident !normal,only,light,dark> ]+ && only?", PROSE),
    "cursor": (
        (
            "[ [ <url> | <image-set()> | -webkit-image-set( <any-value> ) ] [ <number> <number> ]? , ]*"
            " [ <cursor-predefined> | -webkit-grab | -webkit-grabbing | -webkit-zoom-in | -webkit-zoom-out ]"
        ),
        "MDN refers to types it does not define",
    ),
    "-webkit-box-reflect": ("[ above | below | right | left ] <any-value>", UNSUPPORTED),
    "appearance": (
        "none | auto | base-select | <compat-auto> | <compat-special> | slider-vertical",
        LEGACY,
    ),
    # Grid
    "grid-template-areas": ("none | <grid-area-rows>", PROSE),
    # Text
    "line-height": ("normal | <number [0,∞]> | <length-percentage [0,∞]>", RANGE),
    "letter-spacing": ("normal | <length-percentage>", MISSING),
    "word-spacing": ("normal | <length-percentage>", MISSING),
    "tab-size": ("<number [0,∞]> | <length [0,∞]>", RANGE),
    "hyphenate-limit-chars": ("[ auto | <integer [1,∞]> ]{1,3}", RANGE),
    "initial-letter": ("normal | <number [1,∞]> <integer [1,∞]>?", RANGE),
    "text-size-adjust": ("none | auto | <percentage [0,∞]>", RANGE),
    "text-align": (
        (
            "start | end | left | right | center | justify | -webkit-auto | -webkit-center | -webkit-left | -webkit-right"
            " | -webkit-match-parent"
        ),
        LEGACY,
    ),
    "text-overflow": ("clip | ellipsis", UNSUPPORTED),
    "text-transform": ("none | capitalize | uppercase | lowercase | math-auto", UNSUPPORTED),
    "text-combine-upright": ("none | all", UNSUPPORTED),
    "text-emphasis-position": ("[ over | under ] && [ right | left ]?", UNSUPPORTED),
    "text-autospace": ("normal | no-autospace", "MDN refers to a type it does not define"),
    "text-fit": ("[ none | grow | shrink ] [ consistent | per-line | per-line-all ]? <percentage [0,∞]>?", RANGE),
    "ruby-position": ("over | under", UNSUPPORTED),
    "ruby-overhang": ("auto | spaces | none", MISSING),
    "white-space": (
        "normal | pre | pre-wrap | pre-line | nowrap | [ <'white-space-collapse'> || <'text-wrap-mode'> ]",
        "spelling",
    ),
    "white-space-collapse": ("collapse | preserve | preserve-breaks | break-spaces", UNSUPPORTED),
    "vertical-align": (
        (
            "baseline | sub | super | text-top | text-bottom | middle | top | bottom | -webkit-baseline-middle"
            " | <length-percentage>"
        ),
        LEGACY,
    ),
    "unicode-bidi": (
        (
            "normal | embed | isolate | bidi-override | isolate-override | plaintext | -webkit-isolate"
            " | -webkit-isolate-override | -webkit-plaintext"
        ),
        LEGACY,
    ),
    "writing-mode": (
        "horizontal-tb | vertical-rl | vertical-lr | sideways-rl | sideways-lr | lr | lr-tb | rl | rl-tb | tb | tb-rl",
        LEGACY,
    ),
    "counter-reset": ("[ <counter-name> <integer>? ]+ | none", UNSUPPORTED),
    "font-size-adjust": (
        "none | [ ex-height | cap-height | ch-width | ic-width | ic-height ]? [ from-font | <number [0,∞]> ]",
        RANGE,
    ),
    "font-variant": (
        (
            "normal | none | [ <common-lig-values> || <discretionary-lig-values> || <historical-lig-values>"
            " || <contextual-alt-values> || stylistic( <custom-ident> ) || historical-forms || styleset( <custom-ident># )"
            " || character-variant( <custom-ident># ) || swash( <custom-ident> ) || ornaments( <custom-ident> )"
            " || annotation( <custom-ident> )"
            " || [ small-caps | all-small-caps | petite-caps | all-petite-caps | unicase | titling-caps ]"
            " || <numeric-figure-values> || <numeric-spacing-values> || <numeric-fraction-values> || ordinal || slashed-zero"
            " || <east-asian-variant-values> || <east-asian-width-values> || ruby || [ sub | super ]"
            " || [ emoji | text | unicode ] ]"
        ),
        MISSING,
    ),
    "font-stretch": (
        (
            "normal | ultra-condensed | extra-condensed | condensed | semi-condensed | semi-expanded | expanded"
            " | extra-expanded | ultra-expanded | <percentage [0,∞]>"
        ),
        RANGE,
    ),
    "font": (
        (
            "[ [ <'font-style'> || <font-variant-css2> || <'font-weight'> || <font-width-css3> ]?"
            " [ <absolute-size> | <relative-size> | <length-percentage [0,∞]> ] [ / <'line-height'> ]? <'font-family'># ]"
            " | <system-family-name>"
        ),
        UNSUPPORTED,
    ),
    "font-style": ("normal | italic | oblique <angle [-90,90]>?", RANGE),
    "text-orientation": ("mixed | upright | sideways | sideways-right", LEGACY),
    "font-synthesis": ("none | [ weight || style || small-caps ]", UNSUPPORTED),
    "font-variation-settings": ("normal | [ <opentype-tag> <number> ]#", PROSE),
    "list-style-type": ("<counter-style> | <string> | none", "spelling"),
    "position-visibility": ("always | [ anchors-visible || no-overflow ]", UNSUPPORTED),
    "position-anchor": ("normal | auto | none | <anchor-name>", UNSUPPORTED),
    "position-area": ("<any-value>", "MDN and Chromium name the axes differently"),
    "position-try-fallbacks": ("<any-value>", "MDN and Chromium name the axes differently"),
    # Prefixed
    "-webkit-line-clamp": ("none | <integer [1,∞]>", RANGE),
    "-webkit-text-stroke": ("<line-width> || <color>", RANGE),
    "-webkit-text-stroke-width": ("<line-width>", RANGE),
    "-webkit-box-align": ("start | center | end | baseline | stretch", MISSING),
    "-webkit-box-decoration-break": ("slice | clone", MISSING),
    "-webkit-box-direction": ("normal | reverse", MISSING),
    "-webkit-box-flex": ("<number>", MISSING),
    "-webkit-box-ordinal-group": ("<integer [1,∞]>", MISSING),
    "-webkit-box-orient": ("horizontal | vertical | inline-axis | block-axis", MISSING),
    "-webkit-box-pack": ("start | center | end | justify", MISSING),
    "-webkit-font-smoothing": ("auto | none | antialiased | subpixel-antialiased", MISSING),
    "-webkit-line-break": ("auto | loose | normal | strict | after-white-space", MISSING),
    "-webkit-text-security": ("none | disc | circle | square", MISSING),
    "-webkit-user-drag": ("auto | none | element", MISSING),
    "-webkit-text-combine": ("none | horizontal", MISSING),
    "-webkit-text-orientation": ("sideways | sideways-right | vertical-right | upright", MISSING),
    "-webkit-writing-mode": ("horizontal-tb | vertical-rl | vertical-lr", MISSING),
    "-webkit-rtl-ordering": ("logical | visual", MISSING),
    "-webkit-ruby-position": ("before | after", MISSING),
    "app-region": ("none | drag | no-drag", MISSING),
    "speak": ("none | normal | spell-out | digits | literal-punctuation | no-punctuation", MISSING),
    # Gap decorations
    **{f"{axis}-rule-width": ("<line-width> | <any-value>", "lists of gap decorations") for axis in ("column", "row")},
    **{f"{axis}-rule-style": ("<line-style> | <any-value>", "lists of gap decorations") for axis in ("column", "row")},
    **{f"{axis}-rule-color": ("<color> | <any-value>", "lists of gap decorations") for axis in ("column", "row")},
    **{f"{axis}-rule": ("<any-value>", "lists of gap decorations") for axis in ("column", "row")},
    **{f"{axis}-rule-break": ("none | normal | intersection", MISSING) for axis in ("column", "row")},
    **{
        f"{axis}-rule-inset-{part}-{side}": (_RULE_INSET, MISSING)
        for axis in ("column", "row")
        for part in ("cap", "junction")
        for side in ("start", "end")
    },
    "rule-overlap": ("row-over-column | column-over-row", MISSING),
}

DESCRIPTORS: dict[str, dict[str, tuple[str, str]]] = {
    "@font-face": {
        "src": ("<any-value>", "the list of formats changes often"),
        "unicode-range": ("<any-value>", "depends on a tokenizer mode"),
    },
    "@property": {"initial-value": ("<any-value>", "checked against the syntax descriptor elsewhere")},
}
