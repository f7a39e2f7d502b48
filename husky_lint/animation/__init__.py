"""CSS Animations, transforms and SMIL: the state of everything at time t."""
