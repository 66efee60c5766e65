"""Small generated stand-ins for the real data sets, in the formats and folders of the official files."""
import gzip
import pathlib
import struct

import numpy

RACES = ["Black", "East Asian", "Indian", "Latino_Hispanic", "Middle Eastern", "Southeast Asian", "White"]
AGES = ["0-2", "3-9", "10-19", "20-29", "30-39", "40-49", "50-59", "60-69", "more than 70"]
COMPAS_COLUMNS = (
    "id,name,first,last,compas_screening_date,sex,dob,age,age_cat,race,juv_fel_count,decile_score,juv_misd_count,"
    "juv_other_count,priors_count,days_b_screening_arrest,c_jail_in,c_jail_out,c_case_number,c_offense_date,"
    "c_arrest_date,c_days_from_compas,c_charge_degree,c_charge_desc,is_recid,r_case_number,r_charge_degree,"
    "r_days_from_arrest,r_offense_date,r_charge_desc,r_jail_in,r_jail_out,violent_recid,is_violent_recid,"
    "vr_case_number,vr_charge_degree,vr_offense_date,vr_charge_desc,type_of_assessment,decile_score,score_text,"
    "screening_date,v_type_of_assessment,v_decile_score,v_score_text,v_screening_date,in_custody,out_custody,"
    "priors_count,start,end,event,two_year_recid").split(",")


def write_all(folder, seed=1):
    for write in (write_adult, write_compas, write_mnist, write_fairface, write_cifar10n, write_clothing1m):
        write(folder, seed)


def write_adult(folder, seed=1, training=600, test=300):
    """No header; adult.test starts with a comment, its labels end with a dot; both end with an empty line."""
    folder = subfolder(folder, "adult")
    draw = numpy.random.default_rng([seed, 1])
    lines = list(adult_lines(draw, training + test))
    (folder / "adult.data").write_text("\n".join(lines[:training]) + "\n\n")
    (folder / "adult.test").write_text("\n".join(["|1x3 Cross validator", *(f"{line}." for line in lines[training:])])
                                       + "\n\n")


def adult_lines(draw, rows):
    schools = {9: "HS-grad", 10: "Some-college", 13: "Bachelors", 14: "Masters"}
    for _ in range(rows):
        age = int(draw.integers(18, 75))
        years = int(draw.choice(list(schools)))
        sex = str(draw.choice(["Female", "Male"], p=[.4, .6]))
        married = draw.random() < .5
        hours = int(draw.integers(20, 61))
        gain = int(draw.integers(1000, 15000)) if draw.random() < .1 else 0
        score = (.06 * (age - 45) + .6 * (years - 11.5) + 1.5 * married + .05 * (hours - 40) + .8 * (sex == "Male")
                 + gain / 3000 - 1.6)
        family = ("Wife" if sex == "Female" else "Husband") if married else str(
            draw.choice(["Not-in-family", "Own-child", "Unmarried"]))
        yield ", ".join(map(str, [
            age, draw.choice(["Private", "Self-emp-inc", "State-gov", "?"]), draw.integers(20000, 400000),
            schools[years], years, "Married-civ-spouse" if married else "Never-married",
            draw.choice(["Adm-clerical", "Exec-managerial", "Sales", "Craft-repair"]), family,
            draw.choice(["White", "Black", "Asian-Pac-Islander"], p=[.8, .15, .05]), sex, gain, 0, hours,
            draw.choice(["United-States", "Mexico", "?"], p=[.9, .07, .03]), happens(draw, score, "<=50K", ">50K")]))


def write_compas(folder, seed=1, rows=800):
    """All columns, decile_score and priors_count twice; those that nobody reads are empty."""
    folder = subfolder(folder, "compas")
    draw = numpy.random.default_rng([seed, 2])
    lines = [",".join(COMPAS_COLUMNS), *(compas_line(draw, row) for row in range(rows))]
    (folder / "compas-scores-two-years.csv").write_bytes("".join(line + "\r\n" for line in lines).encode())


def compas_line(draw, row):
    age = int(draw.integers(18, 70))
    race = str(draw.choice(["African-American", "Caucasian", "Hispanic", "Other"], p=[.5, .34, .1, .06]))
    priors = int(draw.poisson(3.5 if race == "African-American" else 2))
    score = .3 * (priors - 3) - .05 * (age - 35)
    decile = int(numpy.clip(5 + 2 * score, 1, 10))
    cells = {"id": row + 1, "sex": draw.choice(["Female", "Male"], p=[.2, .8]), "age": age,
             "age_cat": "Less than 25" if age < 25 else "25 - 45" if age <= 45 else "Greater than 45", "race": race,
             "juv_fel_count": draw.poisson(.1), "juv_misd_count": draw.poisson(.1), "juv_other_count": draw.poisson(.1),
             "priors_count": priors, "decile_score": decile, "c_charge_degree": draw.choice(["F", "M"], p=[.65, .35]),
             "two_year_recid": happens(draw, score, 0, 1)}
    return ",".join(str(cells.get(name, "")) for name in COMPAS_COLUMNS)


def write_mnist(folder, seed=1, training=600, test=200):
    """A blot of ink for each digit, moved a little and noisy."""
    folder = subfolder(folder, "mnist")
    draw = numpy.random.default_rng([seed, 3])
    y, x = numpy.mgrid[0:28, 0:28]
    for part, rows in (("train", training), ("t10k", test)):
        digits = numpy.arange(rows) % 10
        draw.shuffle(digits)
        angle = digits * (2 * numpy.pi / 10)
        center = draw.normal(scale=.7, size=(2, rows)) + 13.5 + 8 * numpy.stack([numpy.cos(angle), numpy.sin(angle)])
        squared = (y - center[0][:, None, None]) ** 2 + (x - center[1][:, None, None]) ** 2
        ink = 255 * numpy.exp(-squared / 18) + draw.normal(scale=20, size=squared.shape) * (squared < 60)
        write_idx(folder / f"{part}-images-idx3-ubyte.gz", ink.clip(0, 255).astype(numpy.uint8))
        write_idx(folder / f"{part}-labels-idx1-ubyte.gz", digits.astype(numpy.uint8))


def write_idx(path, array):
    header = struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
    path.write_bytes(gzip.compress(header + array.tobytes(), mtime=0))


def write_fairface(folder, seed=1, training=800, validation=200):
    folder = subfolder(folder, "fairface")
    draw = numpy.random.default_rng([seed, 4])
    of_race = draw.normal(scale=.5, size=(len(RACES), 16))
    of_gender = direction(draw, 16)
    for part, rows in (("train", training), ("val", validation)):
        gender, race, age = (draw.integers(0, count, rows) for count in (2, len(RACES), len(AGES)))
        features = draw.normal(size=(rows, 16)) + of_race[race] + 3 * numpy.outer(gender - .5, of_gender)
        numpy.save(folder / f"{part}_features.npy", features.astype(numpy.float32))
        write_csv(folder / f"{part}_labels.csv", "gender,race,age",
                  ((("Female", "Male")[g], RACES[r], AGES[a]) for g, r, a in zip(gender, race, age)))


def write_cifar10n(folder, seed=1, rows=400):
    """Probabilities that speak of the clean label, and people who err as often as those of CIFAR-10N."""
    folder = subfolder(folder, "cifar10n")
    draw = numpy.random.default_rng([seed, 5])
    clean = draw.integers(0, 10, rows)
    logits = draw.normal(size=(rows, 10)) + 5 * numpy.eye(10)[clean]
    shares = numpy.exp(logits) / numpy.exp(logits).sum(axis=1, keepdims=True)
    numpy.save(folder / "aggre_swin_probabilities.npy", shares.astype(numpy.float32))
    people = {"clean_label": clean}
    rates = {"aggre_label": .09, "worse_label": .4, "random_label1": .17, "random_label2": .18, "random_label3": .18}
    for name, rate in rates.items():
        people[name] = mistaken(draw, clean, rate, 10)
    write_csv(folder / "cifar10n_labels.csv", ",".join(people), zip(*people.values()))


def write_clothing1m(folder, seed=1, training=600, test=200):
    """Embeddings in 14 clusters; training labels are wrong in 38 of 100 rows, as those of Clothing1M."""
    folder = subfolder(folder, "clothing1m")
    draw = numpy.random.default_rng([seed, 6])
    centers = draw.normal(scale=1.5, size=(14, 16))
    for part, rows in (("train", training), ("test", test)):
        clean = numpy.arange(rows) % 14
        draw.shuffle(clean)
        features = draw.normal(size=(rows, 16)) + centers[clean]
        numpy.save(folder / f"{part}_features.npy", features.astype(numpy.float32))
        labels = mistaken(draw, clean, .38, 14) if part == "train" else clean
        write_csv(folder / f"{part}_labels.csv", "label", ((label,) for label in labels))


def subfolder(folder, name):
    path = pathlib.Path(folder) / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def write_csv(path, header, rows):
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in [[header], *rows]))


def happens(draw, score, no, yes):
    return yes if draw.random() < 1 / (1 + numpy.exp(-score)) else no


def direction(draw, dimensions):
    vector = draw.normal(size=dimensions)
    return vector / numpy.linalg.norm(vector)


def mistaken(draw, clean, rate, classes):
    """Another class, any of them, for this share of the rows."""
    others = (clean + draw.integers(1, classes, len(clean))) % classes
    return numpy.where(draw.random(len(clean)) < rate, others, clean)
