"""Learning weights over features from improvements of parts."""
