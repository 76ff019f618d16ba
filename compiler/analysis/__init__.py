"""Facts about a tree. An analysis is a function from trees to a frozen value; nothing is hung on nodes."""
