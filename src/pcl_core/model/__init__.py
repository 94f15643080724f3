"""Problems, their parts and feature subsets, and the network of parts that share features."""
