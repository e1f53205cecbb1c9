"""Gram matrices: dense, streamed or of low rank; centred, aligned and scaled."""
