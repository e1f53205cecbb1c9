"""What the JSON documents of several verbs have: types, and functions that fill them."""
