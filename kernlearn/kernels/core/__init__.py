"""What a kernel family is, and the products, scales and sums that families share."""
