"""The parts around a gateway, real and virtual, one in each file. Each starts separately."""
