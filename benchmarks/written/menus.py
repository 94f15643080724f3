"""Families with a week of meals in mind, exactly or by rules."""

from benchmarks.written.making import DAYS, Wishes, menu

from pcl_core import Problem
from pcl_core.users.wishes import PairWish, Wish, always, at_least, at_most, never

MEALS_EXACT: dict[str, Wishes] = {
    "Clara, vegan": menu(
        "Eats nothing from animals; soups and salads at noon, something warm and filling in the evening.",
        "green salad with nuts / vegetable curry",
        "vegetable soup / pasta with tomatoes",
        "green salad with nuts / stir-fried tofu with peanuts",
        "lentil stew / vegetable curry",
        "vegetable soup / stir-fried tofu with peanuts",
        "green salad with nuts / lentil stew",
        "pasta with tomatoes / stir-fried tofu with peanuts",
    ),
    "Alfred, nearly as proposed": menu(
        "A thrifty grandfather: simple is good; but fish fingers on Friday, and Sunday is a roast with bread after it.",
        "bread and cheese / pasta with tomatoes",
        "vegetable soup / lentil stew",
        "bread and cheese / pancakes",
        "vegetable soup / pasta with tomatoes",
        "fish fingers / lentil stew",
        "vegetable soup / pancakes",
        "roast chicken / bread and cheese",
    ),
    "Leon, protein": menu(
        "Lifts weights and counts grams: eggs, chicken, beans; the budget allows no more salmon than one.",
        "omelette with spinach / chicken curry",
        "lentil stew / chili with beans",
        "omelette with spinach / pasta with minced meat",
        "lentil stew / chicken curry",
        "omelette with spinach / chili with beans",
        "bread and cheese / salmon with broccoli",
        "lentil stew / bread and cheese",
    ),
    "the Hubers, as ever": menu(
        "As their parents ate: something sweet on Wednesday, fish on Friday, lentils on Saturday, a roast on Sunday, bread at night.",
        "vegetable soup / bread and cheese",
        "pasta with minced meat / vegetable soup",
        "pancakes / bread and cheese",
        "pasta with minced meat / omelette with spinach",
        "fish fingers / vegetable soup",
        "lentil stew / pizza",
        "roast chicken / bread and cheese",
    ),
    "Jana, three small children": menu(
        "What three children under eight eat without a fight.",
        "pancakes / pasta with tomatoes",
        "fish fingers / bread and cheese",
        "pasta with minced meat / pancakes",
        "fish fingers / pasta with tomatoes",
        "pancakes / pizza",
        "pasta with minced meat / bread and cheese",
        "pizza / pasta with tomatoes",
    ),
    "Mika, coeliac": menu(
        "No gluten, so no bread, pasta, pizza, pancakes, or fish fingers; likes it hot.",
        "vegetable soup / chili with beans",
        "omelette with spinach / vegetable curry",
        "lentil stew / stir-fried tofu with peanuts",
        "vegetable soup / chicken curry",
        "green salad with nuts / omelette with spinach",
        "chili with beans / vegetable curry",
        "salmon with broccoli / lentil stew",
    ),
    "Ines, no time to cook": menu(
        "Two jobs: nothing may take more than half an hour, and on two evenings there is only bread.",
        "bread and cheese / omelette with spinach",
        "green salad with nuts / fish fingers",
        "omelette with spinach / bread and cheese",
        "green salad with nuts / pasta with tomatoes",
        "vegetable soup / bread and cheese",
        "pancakes / stir-fried tofu with peanuts",
        "omelette with spinach / pasta with tomatoes",
    ),
    "Rasmus, eats leftovers": menu(
        "Cooks a large pot in the evening and eats the rest of it at the next day's noon.",
        "bread and cheese / chili with beans",
        "chili with beans / vegetable curry",
        "vegetable curry / pasta with minced meat",
        "pasta with minced meat / lentil stew",
        "lentil stew / chicken curry",
        "chicken curry / vegetable soup",
        "vegetable soup / pancakes",
    ),
}


MEAT = ("pasta with minced meat", "chicken curry", "roast chicken", "chili with beans")
FISH = ("fish fingers", "salmon with broccoli")
NUTS = ("green salad with nuts", "stir-fried tofu with peanuts")
HOT = ("vegetable curry", "chicken curry", "chili with beans", "stir-fried tofu with peanuts")
QUICK = ("bread and cheese", "green salad with nuts", "omelette with spinach", "pasta with tomatoes", "fish fingers")
GREEN = (
    "vegetable soup",
    "lentil stew",
    "green salad with nuts",
    "vegetable curry",
    "stir-fried tofu with peanuts",
    "salmon with broccoli",
    "chili with beans",
)


def _meals(problem: Problem) -> list[str]:
    return [variable.name for variable in problem.variables]


def _at(meal: str, days: tuple[str, ...] = DAYS) -> list[str]:
    return [f"menu[{day},{meal}]" for day in days]


def vegetarians(problem: Problem) -> list[Wish]:
    """The Okonkwos: vegetarians, one allergic to nuts; curry twice, pizza on Saturday, bread twice at most."""
    meals = _meals(problem)
    return [
        never(meals, *MEAT, *FISH),
        never(meals, *NUTS),
        at_least(2, meals, "vegetable curry"),
        always(["menu[sat,dinner]"], "pizza"),
        at_most(2, meals, "bread and cheese"),
        at_most(1, meals, "pancakes"),
    ]


def cooks_double(problem: Problem) -> list[Wish]:
    """Ayse cooks for two meals on Monday and Wednesday, a stew, a curry, or chili, better when warmed up; chili on Saturday."""
    return [
        PairWish("menu[mon,dinner]", "menu[tue,lunch]", True),
        PairWish("menu[wed,dinner]", "menu[thu,lunch]", True),
        always(["menu[sat,dinner]", "menu[sun,lunch]"], "chili with beans"),
        always(
            _at("dinner", ("mon", "wed")) + _at("lunch", ("tue", "thu")),
            "lentil stew",
            "chili with beans",
            "vegetable curry",
            "chicken curry",
        ),
        PairWish("menu[mon,dinner]", "menu[wed,dinner]", False),
        PairWish("menu[wed,dinner]", "menu[sat,dinner]", False),
        at_most(1, _meals(problem), "pancakes"),
    ]


def fish_eaters(problem: Problem) -> list[Wish]:
    """The Lindqvists eat fish but no meat: fish three times, of that salmon once; and not only bread at noon."""
    meals = _meals(problem)
    return [
        never(meals, *MEAT),
        at_least(3, meals, *FISH),
        at_least(1, meals, "salmon with broccoli"),
        at_most(1, _at("lunch"), "bread and cheese"),
        at_least(2, meals, "green salad with nuts"),
        never(meals, "pancakes"),
    ]


def football_training(problem: Problem) -> list[Wish]:
    """Thorsten's boys train from Monday to Thursday: supper must be quick; the weekend is for pizza and a roast."""
    return [
        always(_at("dinner", ("mon", "tue", "wed", "thu")), *QUICK),
        at_most(2, _at("dinner", ("mon", "tue", "wed", "thu")), "pasta with tomatoes"),
        always(["menu[sat,dinner]"], "pizza"),
        always(["menu[sun,lunch]"], "roast chicken"),
        at_least(3, _meals(problem), *MEAT),
        never(_meals(problem), "lentil stew"),
    ]


def expecting(problem: Problem) -> list[Wish]:
    """Marie is pregnant: nothing hot, no fish fingers whose smell she cannot bear, soup three times, something sweet."""
    meals = _meals(problem)
    return [
        never(meals, *HOT),
        never(meals, "fish fingers", "lentil stew"),
        at_least(3, meals, "vegetable soup"),
        at_least(2, meals, "pancakes"),
        at_least(1, meals, "salmon with broccoli"),
        at_least(2, meals, *MEAT),
        at_most(2, meals, "bread and cheese"),
    ]


def something_green(problem: Problem) -> list[Wish]:
    """Dr Costa, dietician: something green every day, no dish more than twice, salmon once, pancakes not at all."""
    meals = _meals(problem)
    dishes = problem.symbols.variables[meals[0]].values()
    rules: list[Wish] = [at_least(1, part.variables, *GREEN) for part in problem.parts]
    rules += [at_most(2, meals, dish) for dish in dishes]
    rules += [at_least(1, meals, "salmon with broccoli"), never(meals, "pancakes"), at_most(4, meals, *MEAT)]
    return rules


MEALS_RULES: dict[str, Wishes] = {
    "the Okonkwos, vegetarian": vegetarians,
    "Ayse, cooks double": cooks_double,
    "the Lindqvists, fish": fish_eaters,
    "Thorsten, football training": football_training,
    "Marie, pregnant": expecting,
    "Dr Costa, something green": something_green,
}
