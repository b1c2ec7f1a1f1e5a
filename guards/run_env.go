package guards

import (
	"math/bits"
	"os"
	"strconv"
)

// launched reads rank and world from the variables of the launchers: torchrun
// and its kin, Slurm, Open MPI, MPICH and its kin.
func launched() (rank, world int) {
	for _, v := range [][2]string{
		{"RANK", "WORLD_SIZE"},
		{"SLURM_PROCID", "SLURM_NTASKS"},
		{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
		{"PMI_RANK", "PMI_SIZE"},
	} {
		if n := number(v[0]); n != None {
			return n, max(number(v[1]), 0)
		}
	}
	return None, 0
}

func localRank() int {
	for _, v := range []string{"LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"} {
		if n := number(v); n != None {
			return n
		}
	}
	return None
}

func number(variable string) int {
	n, err := strconv.Atoi(os.Getenv(variable))
	if err != nil || n < 0 {
		return None
	}
	return n
}

func highBit(n int64) int { return bits.Len64(uint64(n)) }
