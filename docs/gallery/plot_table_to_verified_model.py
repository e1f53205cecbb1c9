"""
From a DataFrame to a verified model
====================================

A table with texts and missing values goes through scikit-learn's imputers and encoders. An estimator of kernlearn
chooses its parameters by cross-validation at the end of the pipeline. The model is certified, saved as a file without
code, loaded, and verified on the table.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_diabetes
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import kernlearn
from kernlearn.cli.main import main

# %%
# The sex is a text here, and every seventh value of the blood pressure is missing. The question is whether the disease
# of a patient gets much worse within a year.

table = load_diabetes(as_frame=True, scaled=False).frame
table["sex"] = np.where(table["sex"] > 1.5, "woman", "man")
table.loc[table.index[::7], "bp"] = np.nan
table["worse"] = np.where(table.pop("target") > 140, "yes", "no")
train, test = train_test_split(table, test_size=0.3, random_state=0, stratify=table["worse"])

# %%
# The last step has one path over C for every width and every fold.

numbers = [name for name in table.columns if name not in ("sex", "worse")]
columns = ColumnTransformer(
    [
        ("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers),
        ("texts", OneHotEncoder(), ["sex"]),
    ]
)
svm = kernlearn.L2SVMClassifierCV(kernel="rbf", gammas=[0.003, 0.01, 0.03, 0.1], Cs=np.logspace(-1, 3, 9))
model = make_pipeline(columns, svm).fit(train[[*numbers, "sex"]], train["worse"])
print(svm.best_params_, f"test accuracy {model.score(test[[*numbers, 'sex']], test['worse']):.2f}")

# %%
# `certify` rebuilds the problem from the training rows, and bounds how far the model is from the optimum. It solves
# nothing.

print(kernlearn.certify(model, train[[*numbers, "sex"]], train["worse"]))

# %%
# The file contains the imputer, the encoder, the scaler, the support vectors and the dual point. The loaded pipeline
# predicts the same to the last bit.

place = Path(tempfile.mkdtemp())
kernlearn.save(model, place / "diabetes.kl")
loaded = kernlearn.load(place / "diabetes.kl")
values = loaded.decision_function(test[[*numbers, "sex"]])
print(f"same: {(values == model.decision_function(test[[*numbers, 'sex']])).all()}")

# %%
# Anyone who has the training rows can verify the file. Here we call the function of the command line. With other rows
# the proof does not hold.

train.to_csv(place / "train.csv", index=False)
test.to_csv(place / "test.csv", index=False)
for name in ("train.csv", "test.csv"):
    code = main(["verify", str(place / "diabetes.kl"), str(place / name), "target=worse"])
    print(f"{name}: exit code {code}")

# %%
# The decision values of both classes on new rows.

figure, axes = plt.subplots(figsize=(6, 4))
for name in ("no", "yes"):
    axes.hist(values[test["worse"] == name], bins=np.linspace(-3, 3, 25), alpha=0.6, label=f"worse: {name}")
axes.axvline(0.0, color="k", linewidth=1)
axes.set(xlabel="decision value", ylabel="patients", title="new rows, by the loaded model")
axes.legend()
figure.tight_layout()
