"""Forward mode: every active statement gets its tangent beside it; loops and branches stay as they are."""
