"""What names say: the words of identifiers, and the words that people use for parts of a dog.

Names are one kind of evidence among several and never the only one that a verdict hangs on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lxml.etree import _Element

    from husky_lint.scene.graph import SceneNode

PARTS: Final[Mapping[str, frozenset[str]]] = {
    "dog": words("dog husky canis hund chien perro pup puppy animal doggo"),
    "body": words("body torso trunk truncus corpus barrel ribcage thorax flank hull rump"),
    "head": words("head caput kopf tete cabeza noggin"),
    "skull": words("skull cranium cranial headshape headbase braincase"),
    "face_mask": words("mask facemask larva face muzzlewhite facies blaze"),
    "eye": words("eye oculus ojo auge ophthalmos"),
    "brow": words("brow eyebrow supercilium browspot pip"),
    "ear": words("ear auris pinna oreja ohr auricula"),
    "nose": words("nose nasus naris rhinarium nosetip"),
    "mouth": words("mouth rima os lips lip smile grin boca mund bouche"),
    "tongue": words("tongue lingua zunge langue lengua lick"),
    "neck": words("neck collum cervix cervical nape hals"),
    "collar": words("collar torques torquis collare neckband collier"),
    "tag": words("tag bulla medal charm pendant dogtag idtag tagdisc"),
    "bib": words("bib belly chest underside pectus venter underbelly breast abdomen sternum undercoat brisket"),
    "blade": words("blade scapula shoulderblade scap"),
    "tail": words("tail cauda schwanz queue cola brush"),
    "tail_tip": words("tip tailtip apex"),
    "contact_shadow": words("shadow umbra shade contactshadow groundshadow dropshadow"),
    "dots": words("dot dots pawshadow footdot contact contacts print footshadow"),
    "lamppost": words("lamp lamppost lucerna lantern streetlamp streetlight lamplight post postis pole lightpost"),
    "lamp_glass": words("glass vitrum lampglass pane globe bulb lampshade"),
    "hearts": words("heart hearts corda cor love hearties coeur coeurs corazon corazones cuore cuori herz herzen"),
    "detached_leg": words(
        "detach detached avulsio avulsed flyaway loose loosened runaway gone lost popoff ghost spare"
    ),
}
"""Words that name a part, in common and Latin terms."""

COAT: Final = words("coat vellus pelt fur hide pelage")
"""Words for fur: the body's where the shape of the body carries them, else only paint."""

OTHERS: Final = words(
    """
    saddle ephippium cheek jaw throat stripe shine gloss whisk whisker whiskers
    stitch ring glow halo sky star stars cloud clouds sun moon thigh shank haunch femur crus tibia humerus radius
    forearm antebrachium arm upper lower paw pes carpus tarsus digiti meta metatarsus toe toes hip mane crest stump
    feather tick spark flower grass tuft pebble tree bush bench bird leaf hill
    """
)
"""Words that name something that plays no role of :data:`PARTS`."""

NEAR: Final = words("near right dexter dextra dext nf nh nr close nearside")
FAR: Final = words("far left sinister sinistra sin ff fh distant farside")
FORE: Final = words("fore front anterior thoracic foreleg forelimb frontleg brachium pectoral nf ff arm humerus")
HIND: Final = words("hind rear back posterior pelvic hindleg hindlimb rearleg backleg femur nh fh nr thigh")
ENDS_OF_NONE: Final = words("arm brachium humerus thigh femur nr")
"""Words that tell fore from hind unless legs of both ends bear them: a limb's own segments, which some give to the
segments of all four alike, and ``nr``, which is near as well as near rear."""

_SPLIT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_MAX_TEXT: Final = 200
_MAX_NAMES: Final = 40


@dataclass(frozen=True, slots=True)
class Name:
    """One identifier in words. In BEM spelling ``block`` is the context, ``own`` the element, ``modifier`` its kind."""

    own: tuple[str, ...]
    block: tuple[str, ...] = ()
    modifier: tuple[str, ...] = ()

    def says(self, vocabulary: frozenset[str]) -> float:
        """How plainly the name is one of these: 1 exactly, 0.75 as its last word, 0.5 among others, 0.3 around."""
        if self.own and ((len(self.own) == 1 and self.own[0] in vocabulary) or "".join(self.own) in vocabulary):
            return 1.0
        if self.own and self.own[-1] in vocabulary:
            return 0.75
        if vocabulary.intersection(self.modifier):
            return 0.6
        if vocabulary.intersection(self.own):
            return 0.5
        return 0.3 if vocabulary.intersection(self.block) else 0.0

    @property
    def all(self) -> tuple[str, ...]:
        """Every word."""
        return (*self.block, *self.own, *self.modifier)


@lru_cache(maxsize=4096)
def read_name(text: str) -> Name:
    """The words of an identifier: split at punctuation, at capitals and at digits; BEM's ``__`` and ``--`` seen."""
    text = text[:_MAX_TEXT]
    head, _, modifier = text.partition("--")
    block, element, own = head.partition("__")
    if not element:
        block, own = "", head
    return Name(_words(own), _words(block), _words(modifier))


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _SPLIT.findall(text) if not word.isdigit())


def names_of(element: _Element) -> tuple[Name, ...]:
    """The names an element carries: id, classes, data attributes, label."""
    found = []
    for attribute, value in element.attrib.items():
        name, text = str(attribute), str(value)
        if name == "id":
            found.append(read_name(text))
        elif name == "class":
            found.extend(read_name(part) for part in text.split()[:_MAX_NAMES])
        elif name.startswith("data-") or name in {"aria-label", "part", "name"} or name.endswith("}label"):
            found.append(read_name(text))
    return tuple(found[:_MAX_NAMES])


def says(names: Iterable[Name], vocabulary: frozenset[str]) -> float:
    """How plainly the plainest of the names is one of these words, 0 to 1."""
    return max((name.says(vocabulary) for name in names), default=0.0)


@lru_cache(maxsize=4096)
def _said(name: Name) -> tuple[tuple[str, float], ...]:
    """The roles that a name says, and how plainly; ``""`` is something that plays none."""
    told = [(role, name.says(vocabulary)) for role, vocabulary in (*PARTS.items(), ("", OTHERS))]
    return tuple((role, score) for role, score in told if score > 0)


class Lexicon:
    """The names of the nodes of a scene, each read once. What a ``<use>`` shows is called what the use is called."""

    def __init__(self) -> None:
        self._names: dict[SceneNode, tuple[Name, ...]] = {}

    def names(self, node: SceneNode) -> tuple[Name, ...]:
        """The node's own names, and of the ``<use>`` that it is the content of."""
        known = self._names.get(node)
        if known is None:
            known = names_of(node.element)
            if node.is_instance_root and node.parent is not None:
                known = (*known, *names_of(node.parent.element))
            self._names[node] = known
        return known

    def says(self, node: SceneNode, role: str) -> float:
        """How plainly the node's own names say the role."""
        return max((told for name in self.names(node) for one, told in _said(name) if one == role), default=0.0)

    def says_other(self, node: SceneNode, role: str) -> float:
        """How plainly the node's own names say something that this role is not."""
        names = self.names(node)
        return max((told for name in names for rival, told in _said(name) if rival != role), default=0.0)

    def words_along(self, node: SceneNode, within: SceneNode | None) -> frozenset[str]:
        """Every word of the node's names and of the groups around it up to ``within`` (left out)."""
        found = {word for name in self.names(node) for word in name.all}
        for above in node.ancestors():
            if above is within or above.parent is None:
                break
            found.update(word for name in self.names(above) for word in name.all)
        return frozenset(found)
