"""People with a trip or a flat in mind, exactly."""

from benchmarks.written.making import Wishes, flat, trip

TRIP_EXACT: dict[str, Wishes] = {
    "Agnes, culture": trip(
        "Taught history of art: museums by day, theatre and concert at night, a hill to say goodbye.",
        "cathedral / art museum / theatre",
        "history museum / palace / free time",
        "old town walk / free time / concert",
        "castle hill / free time / free time",
    ),
    "the Novaks, with two children": trip(
        "Animals, a boat, a match, the beach; early to bed, and nothing with paintings.",
        "zoo / river boat / free time",
        "market / botanic garden / free time",
        "free time / football match / free time",
        "free time / city beach / free time",
    ),
    "Elif and Tom, honeymoon": trip(
        "Sleep long; something beautiful in the afternoon and something good in the evening.",
        "free time / river boat / jazz bar",
        "free time / botanic garden / tasting dinner",
        "market / free time / concert",
        "free time / city beach / free time",
    ),
    "Hilde and her daughter, nearly as proposed": trip(
        "Hilde is 80 and one visit a day is right; only a theatre on Saturday, and the garden on Thursday.",
        "cathedral / botanic garden / free time",
        "market / free time / free time",
        "free time / art museum / theatre",
        "free time / old town walk / free time",
    ),
    "Paulo, student": trip(
        "What costs nothing, much of it on foot; he has spent his money on one football match.",
        "castle hill / free time / old town walk",
        "market / city beach / free time",
        "free time / free time / football match",
        "cathedral / botanic garden / free time",
    ),
}


FLAT_EXACT: dict[str, Wishes] = {
    "Rahel, works at home": flat(
        "Her desk at the large window comes first, with her back to the television; the kitchen is fine.",
        {
            "double bed": "a1-b1",
            "wardrobe": "c2",
            "armchair": "a3",
            "sofa": "f3-g3",
            "television": "d1",
            "bookcase": "d2",
            "desk": "g2",
            "small bed": "c5-c6",
            "school desk": "a5",
            "toy shelf": "a4",
            "kitchen unit": "f4-g4",
            "dining table": "f6-g6",
            "fridge": "g5",
        },
    ),
    "Egon and Rosa, retired": flat(
        "He reads in the armchair at the bedroom's window; she looks out from the sofa; breakfast in the sun; a guest room.",
        {
            "double bed": "c1-c2",
            "wardrobe": "a3",
            "armchair": "b1",
            "sofa": "g1-g2",
            "television": "d2",
            "bookcase": "g3",
            "desk": "d1",
            "small bed": "a6-b6",
            "school desk": "c6",
            "toy shelf": "a4",
            "kitchen unit": "d5-d6",
            "dining table": "g5-g6",
            "fridge": "e6",
        },
    ),
    "Kim, films and friends": flat(
        "A cinema: sofa in the middle, television in the dark at the wall; in the kitchen a table for many in the middle.",
        {
            "double bed": "a2-a3",
            "wardrobe": "a1",
            "armchair": "c1",
            "sofa": "f1-f2",
            "television": "d2",
            "bookcase": "g3",
            "desk": "g1",
            "small bed": "a5-a6",
            "school desk": "b6",
            "toy shelf": "c5",
            "kitchen unit": "e6-f6",
            "dining table": "f4-f5",
            "fridge": "d6",
        },
    ),
    "Yasmin, nearly as proposed": flat(
        "Has just moved in and is tired: only the daughter does her homework at the window, and the armchair has light.",
        {
            "double bed": "a1-a2",
            "wardrobe": "c1",
            "armchair": "b1",
            "sofa": "e1-f1",
            "television": "f3",
            "bookcase": "g3",
            "desk": "d1",
            "small bed": "c5-c6",
            "school desk": "b6",
            "toy shelf": "a4",
            "kitchen unit": "f4-g4",
            "dining table": "f6-g6",
            "fridge": "g5",
        },
    ),
}
