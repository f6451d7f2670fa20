"""The review page: a person decides on label issues, decisions are kept, and a corrected corpus comes out."""
